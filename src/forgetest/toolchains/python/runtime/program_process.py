"""The process of one run of a program: what the interpreter does with a script, in a process that was forked."""

from __future__ import annotations

import atexit
import io
import json
import linecache
import os
import sys
import threading
import traceback
import types
from collections.abc import Callable, Sequence
from typing import Any

FILE = "solution.py"
_FLUSH_FAILED = 120


class Source:
    """The sample's source, compiled once."""

    def __init__(self, text: str, code: types.CodeType) -> None:
        self.text = text
        self.code = code


def load(text: str) -> Source:
    """Compile the sample. It was checked before that this works."""
    return Source(text, compile(text, FILE, "exec", dont_inherit=True))


def run_program(source: Source, arguments: Sequence[str]) -> int:
    """Run the sample as a script, and return its exit code."""
    sys.argv = [FILE, *arguments]
    _open_streams(1)
    return _finish(lambda: _execute(source, "__main__"))


def run_call(source: Source, target: str) -> int:
    """Call a function of the sample with the arguments on standard input, and write its result to standard output.

    What the sample prints itself is dropped.
    """
    sys.argv = [FILE]
    result = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    _open_streams(1)

    def call() -> None:
        arguments = json.load(sys.stdin)
        scope: Any = _execute(source, "solution")
        *owners, name = target.split(".")
        for owner in owners:
            scope = getattr(scope, owner)()
        answer = getattr(scope, name)(*arguments)
        content = memoryview(json.dumps(answer).encode("utf-8", "surrogatepass"))
        while content:
            content = content[os.write(result, content) :]

    return _finish(call)


def _execute(source: Source, name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__.update(__file__=FILE, __builtins__=__builtins__)
    sys.modules[name] = module
    linecache.cache[FILE] = (len(source.text), None, source.text.splitlines(True), FILE)
    exec(source.code, module.__dict__)  # noqa: S102
    return module


def _open_streams(output: int) -> None:
    """Open the standard streams as the interpreter does when it starts."""
    stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), "utf-8", "surrogateescape")
    stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(output, "w", closefd=False)), "utf-8", "surrogateescape")
    stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), "utf-8", "backslashreplace", write_through=True)
    sys.stdin = sys.__stdin__ = stdin  # type: ignore[misc]
    sys.stdout = sys.__stdout__ = stdout  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = stderr  # type: ignore[misc]


def _finish(work: Callable[[], object]) -> int:
    """Do the work and all that follows at the end of a script; return the exit code."""
    status = 0
    try:
        work()
    except SystemExit as error:
        status = _exit_code(error.code)
    except BaseException as error:
        status = 1
        _print_traceback(error)
    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except BaseException as error:
        _print_traceback(error)
        status = status or _FLUSH_FAILED
    return status & 0xFF


def _exit_code(code: object) -> int:
    if code is None:
        return 0
    if isinstance(code, int):
        return code
    print(code, file=sys.stderr)
    return 1


def _print_traceback(error: BaseException) -> None:
    """Print the part of a traceback that is the sample's own."""
    try:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename != FILE:
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace or error.__traceback__)
    except BaseException:
        os.write(2, type(error).__name__.encode("utf-8", "replace"))
