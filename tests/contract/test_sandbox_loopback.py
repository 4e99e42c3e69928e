"""A step that may talk to itself: servers and clients inside one sandbox meet, and nobody else does."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from forgetest.sandboxes import bubblewrap
from forgetest.sandboxes.bubblewrap import Bubblewrap
from forgetest.sandboxes.factory import sandbox_settings
from forgetest.verdict import Execution, Mount, Step

PREFIX = os.path.realpath(sys.base_prefix)
MOUNTS = (
    *(Mount(source=path, target=path) for path in ("/usr", "/lib", "/lib64") if Path(path).exists()),
    Mount(source=PREFIX, target="/python"),
)
SERVE_AND_ASK = """
import socket, threading, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"tcp")

server = HTTPServer(("127.0.0.1", 0), Answer)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/").read().decode())
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(("127.0.0.1", 0))
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"udp", receiver.getsockname())
print(receiver.recv(10).decode())
"""


@pytest.fixture
def sandbox() -> Iterator[Bubblewrap]:
    created = bubblewrap.create(sandbox_settings())
    yield created
    created.close()


def run(sandbox: Bubblewrap, program: str, *, loopback: bool) -> Execution:
    interpreter = f"/python/{Path(sys.executable).resolve().relative_to(PREFIX)}"
    argv = (interpreter, "-I", "-S", "-c", program)
    return sandbox.run(Step(name="talk", argv=argv, mounts=MOUNTS, loopback=loopback))


def test_a_server_and_its_client_meet_over_tcp_and_udp(sandbox: Bubblewrap) -> None:
    execution = run(sandbox, SERVE_AND_ASK, loopback=True)
    assert execution.stdout.decode().split() == ["tcp", "udp"], execution.stderr.decode()


def test_without_asking_for_it_a_step_has_no_loopback(sandbox: Bubblewrap) -> None:
    execution = run(sandbox, SERVE_AND_ASK, loopback=False)
    assert (execution.stdout, execution.exit_code) == (b"", 1)
    assert "Operation not permitted" in execution.stderr.decode()


def test_a_server_of_the_host_is_not_reached(sandbox: Bubblewrap) -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        ask = f"import socket; socket.create_connection(('127.0.0.1', {server.server_port}), 5)"
        assert "refused" in run(sandbox, ask, loopback=True).stderr.decode()
        server.shutdown()


def test_nothing_but_itself_can_be_reached(sandbox: Bubblewrap) -> None:
    ask = "import socket; socket.create_connection(('192.0.2.1', 9), 5)"
    assert "Network is unreachable" in run(sandbox, ask, loopback=True).stderr.decode()
