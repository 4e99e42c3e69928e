"""Verification of projects whose code and tests attack the sandbox, the report or the host."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from pathlib import Path

import pytest

from nerv.verification.repository import read_trees
from nerv.verification.verify import VerificationOptions, verify
from verified_projects import make_repository, verify_project

pytestmark = [
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.timeout(900),
]

BASE = {
    "calc.py": "def add(a, b):\n    return a + b\n",
    "tests/test_add.py": "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n",
    "conftest.py": "",
}


@pytest.fixture
def listener():
    """A server on this machine; returns its port and the list of its visitors."""
    visitors: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            try:
                while True:
                    visitors.append(server.accept()[1])
            except OSError:
                return

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], visitors


@pytest.mark.slow
def test_tests_that_attack_reach_nothing(tmp_path, listener):
    """The hostile tests assert that each attack succeeds, so that every one of them must be reported as failed."""
    port, visitors = listener
    secret = tmp_path / "secret"
    secret.write_text("the secret")
    attacks = f"""\
import os
import signal
import socket
import sys
from pathlib import Path


def test_network():
    socket.create_connection(("127.0.0.1", {port}), timeout=5)


def test_another_machine():
    socket.create_connection(("192.0.2.1", 80), timeout=5)


def test_name_service():
    socket.getaddrinfo("pypi.org", 443)


def test_read_a_file_of_the_host():
    assert Path({str(secret)!r}).read_text()


def test_read_the_home():
    seen = Path({str(Path.home())!r}).iterdir()
    assert [path for path in seen if not Path(sys.base_prefix).is_relative_to(path)]


def test_read_passwords():
    assert Path("/etc/shadow").read_text()


def test_write_beside_the_repository():
    Path({str(tmp_path)!r}, "planted").write_text("x")


def test_write_into_the_system():
    Path("/usr/planted").write_text("x")


def test_write_into_the_packages():
    import pytest

    Path(pytest.__file__).write_text("x")


def test_kill_a_process_of_the_host():
    os.kill({os.getpid()}, signal.SIGTERM)


def test_see_processes_of_the_host():
    assert len([name for name in os.listdir("/proc") if name.isdigit()]) > 20


def test_inherit_a_variable():
    assert os.environ["USER"] or os.environ["SSH_AUTH_SOCK"]


def test_become_root():
    os.setuid(0)


def test_an_abstract_socket_of_the_host():
    socket.socket(socket.AF_UNIX).connect("\\0nerv-host-{port}")


def test_trace_a_process_of_the_host():
    import ctypes

    assert ctypes.CDLL(None).ptrace(16, {os.getpid()}, 0, 0) == 0


def test_a_network_of_its_own():
    import ctypes

    assert ctypes.CDLL(None).unshare(0x40000000) == 0


def test_read_the_environment_of_others():
    found = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/environ")]
    assert any(b"USER=" in text or b"SSH_AUTH_SOCK=" in text for text in found)
"""
    with socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0nerv-host-{port}")
        abstract.listen()
        found = verify_project(tmp_path / "r", BASE, {"tests/test_attack.py": attacks})
    own = next(suite for suite in found.suites if suite.tree == "result" and suite.source == "changed")
    assert {name for name, outcome in own.outcomes.items() if outcome == "passed"} == {"tests/test_add.py::test_add"}
    # what fails for want of a network counts as skipped
    assert own.count("failed") + own.count("skipped") == attacks.count("def test_")
    assert {name for name, outcome in own.outcomes.items() if outcome == "skipped"} == {
        "tests/test_attack.py::test_name_service",
        "tests/test_attack.py::test_another_machine",
    }
    assert found.broken == ()
    assert visitors == []
    assert not (tmp_path / "planted").exists()


@pytest.mark.slow
def test_datagrams_reach_only_the_sandbox_s_own_loopback(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as host:
        host.bind(("127.0.0.1", 0))
        host.setblocking(False)
        sends = (
            "import socket\n\n\ndef test_send():\n    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:\n"
            f"        own.sendto(b'x', ('127.0.0.1', {host.getsockname()[1]}))\n"
        )
        found = verify_project(tmp_path / "r", BASE, {"tests/test_send.py": sends})
        assert found.failing == ()
        with pytest.raises(BlockingIOError):
            host.recv(1)


FORGERIES = {
    "an early exit": "import os\n\n\ndef add(a, b):\n    os._exit(0)\n",
    "a report of its own": (
        "import os\n\n\ndef add(a, b):\n    open('/w/reports/junit.xml', 'w').write('<testsuite><testcase "
        'name="test_add" classname="tests.test_add" file="tests/test_add.py"/></testsuite>\')\n    os._exit(0)\n'
    ),
    "a report that is replaced at the end": (
        "import atexit\n\n\ndef _forge():\n    open('/w/reports/junit.xml', 'w').write('<testsuite><testcase "
        'name="test_add" classname="tests.test_add" file="tests/test_add.py"/></testsuite>\')\n\n\n'
        "atexit.register(_forge)\n\n\ndef add(a, b):\n    return 4\n"
    ),
    "a folder in the place of the report": (
        "import os\n\n\ndef add(a, b):\n    os.mkdir('/w/reports/junit.xml')\n    os._exit(0)\n"
    ),
    "every assertion passes": (
        "import _pytest.runner\n\n\ndef add(a, b):\n    return 4\n\n\n"
        "_pytest.runner.CallInfo.from_call = classmethod(lambda cls, func, when, reraise=None: cls(\n"
        "    None, None, start=0.0, stop=0.0, duration=0.0, when=when, _ispytest=True))\n"
    ),
    "an answer that equals everything": (
        "class Any:\n    def __eq__(self, other):\n        return False\n\n\ndef add(a, b):\n    return Any()\n"
    ),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) for name in FORGERIES])
def test_code_that_forges_its_report_cannot_pass(tmp_path, name):
    found = verify_project(tmp_path / "r", BASE, {"calc.py": FORGERIES[name]})
    assert found.verified is False, found
    assert found.broken == ("tests/test_add.py::test_add",)


MACHINERY = {
    "conftest.py": "collect_ignore_glob = ['tests/*']\n",
    "pytest.ini": "[pytest]\npython_files = nothing_*.py\n",
    "sitecustomize.py": "import os\nos._exit(0)\n",
    "pytest.py": "raise SystemExit(0)\n",
    "tests/__init__.py": "raise SystemExit(0)\n",
    "tests/conftest.py": "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(MACHINERY))
def test_machinery_that_the_run_added_does_not_touch_the_base_s_tests(tmp_path, path):
    wrong = {"calc.py": "def add(a, b):\n    return 4\n", path: MACHINERY[path]}
    found = verify_project(tmp_path / "r", BASE, wrong)
    guarded = next(suite for suite in found.suites if suite.tree == "result" and suite.source == "base")
    assert guarded.outcomes == {"tests/test_add.py::test_add": "failed"}
    assert found.verified is False


def test_links_in_the_repository_are_not_followed_on_the_host(tmp_path):
    secret = tmp_path / "secret.py"
    secret.write_text("raise AssertionError('read on the host')\n")
    source = make_repository(tmp_path / "r", BASE, {}, commit=False)
    (source.folder / "tests" / "test_link.py").symlink_to(secret)
    (source.folder / "elsewhere").symlink_to(tmp_path)
    result = read_trees(source).result
    assert result["tests/test_link.py"].link == str(secret)
    assert result["tests/test_link.py"].content == b""
    assert "elsewhere" in result
    assert not any(path.startswith("elsewhere/") for path in result)


@pytest.mark.slow
def test_tests_that_never_end_or_take_all_memory_are_stopped(tmp_path):
    endless = {"calc.py": "def add(a, b):\n    while True:\n        pass\n"}
    said: list[str] = []
    source = make_repository(tmp_path / "endless", BASE, endless)
    found = verify(source, VerificationOptions(cpu_s=5.0), said.append)
    assert (found.verified, found.broken) == (False, ("tests/test_add.py::test_add",))
    assert "time limit" in found.suites[-1].problem
    assert sum("the base's tests on the result" in message for message in said) == 1  # not repeated: it may take hours
    greedy = {"calc.py": "def add(a, b):\n    found = []\n    while True:\n        found.append(bytearray(1 << 26))\n"}
    found = verify_project(tmp_path / "greedy", BASE, greedy)
    assert (found.verified, found.broken) == (False, ("tests/test_add.py::test_add",))
