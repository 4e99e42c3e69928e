"""Bait for samples on the host: listeners on every kind of socket, and a world-writable folder."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from forgetest.toolchains import controls
from forgetest.toolchains.rust import preparation


@pytest.fixture(scope="module", autouse=True)
def same_secret() -> Iterator[None]:
    """Give the judge the same secret on every machine: whether a sample that is nearly right is found depends on it."""
    with pytest.MonkeyPatch.context() as patch:
        printing = ("/bin/sh", "-c", "printf '%064d' 1")
        patch.setattr(preparation, "SECRET_STEP", replace(controls.SECRET_STEP, argv=printing))
        yield


@pytest.fixture(scope="module")
def baited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """Fill the addresses of the bait into a sample, for `@TCP4@` and the like; none of it may be reached."""
    folder = tmp_path_factory.mktemp("bait")
    folder.chmod(0o777)
    (folder / "file").write_text("as it was")
    (folder / "file").chmod(0o666)
    with contextlib.ExitStack() as stack:
        tcp4 = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp4 = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp4.bind(("127.0.0.1", 0))
        unix, abstract = (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        unix.bind(str(folder / "socket"))
        abstract.bind(f"\0{folder}")
        listeners = [tcp4, udp4, unix, abstract]
        port6 = "9"
        with contextlib.suppress(OSError):  # a machine may have no IPv6
            tcp6 = stack.enter_context(socket.create_server(("::1", 0), family=socket.AF_INET6))
            listeners.append(tcp6)
            port6 = str(tcp6.getsockname()[1])
        for listener in listeners:
            if listener.type == socket.SOCK_STREAM:
                listener.listen()
            listener.setblocking(False)
        places = {
            "@TCP4@": str(tcp4.getsockname()[1]),
            "@TCP6@": port6,
            "@UDP4@": str(udp4.getsockname()[1]),
            "@UNIX@": str(folder / "socket"),
            "@ABSTRACT@": str(folder),
            "@HOME@": str(Path.home()),
            "@TMP@": str(folder),
        }

        def fill(code: str) -> str:
            for mark, place in places.items():
                code = code.replace(mark, place)
            return code

        yield fill
        assert not [listener for listener in listeners if heard(listener)], "a listener of the host heard something"
    assert sorted(path.name for path in folder.iterdir()) == ["file", "socket"]
    assert (folder / "file").read_text() == "as it was"


def heard(listener: socket.socket) -> bool:
    """Return True if anything was received."""
    try:
        if listener.type == socket.SOCK_DGRAM:
            listener.recv(1)
        else:
            listener.accept()[0].close()
    except BlockingIOError:
        return False
    return True
