"""Calls of the command line that start in milliseconds, because a process that has imported it forks for each of them.

A call is a process with its own arguments, environment, working directory, standard streams and exit code, as if the
console script had been started. It saves a quarter of a second of importing, a second with a provider's SDK.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import json
import os
import pkgutil
import re
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, get_args

_LONGEST = 1 << 17
"""Length limit of a request and its environment, in bytes."""
_LATER = (
    "forgetest.toolchains.python.judging",
    "forgetest.toolchains.rust.judging",
    "forgetest.toolchains.rust.sharing.shared_judging",
    "nerv.cli.compare",
    "nerv.cli.history",
    "nerv.cli.main",
    "nerv.cli.score",
    "anthropic",
    "openai",
    "rich.live",
    "tree_sitter",
    "tree_sitter_rust",
)
"""What a command imports only where it needs it."""
_READ_AT_START = re.compile("PYTHON(?!PATH$|DONTWRITEBYTECODE$).*|LANG|LC_.*|.*_LOG")
"""Variables that the interpreter or a library reads when it starts or is imported."""


def can_run(env: Mapping[str, str]) -> bool:
    """Return whether nothing in this environment has an effect before the command begins."""
    return all(env.get(name) == os.environ.get(name) for name in {*env, *os.environ} if _READ_AT_START.fullmatch(name))


def run(
    words: Sequence[str], *, cwd: Path, env: Mapping[str, str], stdin: bytes, timeout: float
) -> subprocess.CompletedProcess[bytes]:
    """Call `forgetest`, and wait for its end."""
    its_in, in_ = os.pipe()
    out, its_out = os.pipe()
    err, its_err = os.pipe()
    output, errors = bytearray(), bytearray()
    with call(words, cwd=cwd, env=env, streams=(its_in, its_out, its_err), timeout=timeout) as wait:
        threads = [
            threading.Thread(target=_write, args=(in_, stdin)),
            threading.Thread(target=_read, args=(out, output)),
            threading.Thread(target=_read, args=(err, errors)),
        ]
        for thread in threads:
            thread.start()
        status = wait()
    for thread in threads:
        thread.join()
    return subprocess.CompletedProcess(["forgetest", *words], status, bytes(output), bytes(errors))


@contextmanager
def call(
    words: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    streams: tuple[int, int, int],
    timeout: float,
    program: str = "forgetest",
) -> Iterator[Any]:
    """Call `forgetest` or `nerv` with these streams, which are closed here; yield what waits for the exit code."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.connect(_server())
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * _LONGEST)
        connection.settimeout(timeout)
        request = json.dumps({"program": program, "words": words, "cwd": str(cwd), "env": dict(env)})
        socket.send_fds(connection, [request.encode()], streams)
        for stream in streams:
            os.close(stream)
        pid = int(connection.recv(64))
        try:
            yield lambda: int(connection.recv(64))
        except TimeoutError as error:
            os.kill(pid, signal.SIGKILL)
            raise subprocess.TimeoutExpired([program, *words], timeout) from error


def _write(pipe: int, data: bytes) -> None:
    with suppress(BrokenPipeError), os.fdopen(pipe, "wb") as file:
        file.write(data)


def _read(pipe: int, into: bytearray) -> None:
    with os.fdopen(pipe, "rb") as file:
        into += file.read()


@functools.cache
def _server() -> bytes:
    """Start the process that forks, and return the address of its socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind("")  # a free abstract address
        listening.listen()
        ours, alive = os.pipe()
        server = subprocess.Popen(
            [sys.executable, __file__, str(listening.fileno()), str(ours)],
            env={**os.environ, "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": ""},
            stdin=subprocess.DEVNULL,
            pass_fds=[listening.fileno(), ours],
        )
        os.close(ours)
        atexit.register(_end_server, server, alive)
        address: bytes = listening.getsockname()
        return address


def _end_server(server: subprocess.Popen[bytes], alive: int) -> None:
    os.close(alive)
    server.wait()


# --- In the process that forks ---------------------------------------------------------------------------------


def _serve(listening: socket.socket, parent: int) -> Mapping[str, Any] | None:
    """Fork for each request. Return it in the forked process; return None when the parent process ends."""
    running: dict[int, tuple[int, socket.socket]] = {}
    poll = select.poll()
    poll.register(listening, select.POLLIN)
    poll.register(parent, select.POLLIN)
    while True:
        for ready, _ in poll.poll():
            if ready == parent:
                return None
            if ready == listening.fileno():
                connection, _ = listening.accept()
                sent, streams, _, _ = socket.recv_fds(connection, _LONGEST, 3)
                pid = os.fork()
                if pid == 0:
                    for number, stream in enumerate(streams):
                        os.dup2(stream, number)
                    os.closerange(3, 1024)
                    request: Mapping[str, Any] = json.loads(sent)
                    return request
                for stream in streams:
                    os.close(stream)
                connection.send(str(pid).encode())
                process = os.pidfd_open(pid)
                running[process] = pid, connection
                poll.register(process, select.POLLIN)
            else:
                pid, connection = running.pop(ready)
                poll.unregister(ready)
                os.close(ready)
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                with closing(connection), suppress(BrokenPipeError):
                    connection.send(str(status).encode())


def _import_commands() -> None:
    """Import what commands import, first or later."""
    from forgetest import cli, errors, plugins

    commands = [module.name for module in pkgutil.iter_modules(cli.__path__, "forgetest.cli.")]
    for name in (*commands, *_LATER):
        with suppress(ImportError):  # a library that is not installed
            importlib.import_module(name)
    for kind in get_args(plugins.Kind):
        for name in plugins.names(kind):
            with suppress(errors.UserError):
                plugins.find(kind, name)
    assert len([*Path("/proc/self/task").iterdir()]) == 1, "a process with several threads cannot be forked"
    gc.collect()
    gc.freeze()


def _become(request: Mapping[str, Any]) -> None:
    """Turn this process into the one that the console script would have been."""
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.path[1:1] = [str(Path(each).absolute()) for each in os.environ.get("PYTHONPATH", "").split(":") if each]
    sys.argv = [str(Path(sys.executable).with_name(request["program"])), *request["words"]]
    sys.stdin = sys.__stdin__ = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.__stderr__ = os.fdopen(
        2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
    )


def _end(code: int) -> None:
    """End as the interpreter would, but without freeing the memory that came with the fork."""
    threading._shutdown()  # type: ignore[attr-defined]  # waits for threads
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.path[0] = str(Path(sys.executable).parent)  # as for the console script
    _import_commands()
    if (found := _serve(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]))) is not None:
        _become(found)
        try:
            importlib.import_module(f"{found['program']}.cli.main").main()
        except SystemExit as ended:
            _end(ended.code)
