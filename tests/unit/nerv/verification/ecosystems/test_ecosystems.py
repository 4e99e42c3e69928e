"""What all kinds of test suites share."""

from __future__ import annotations

import pytest

from nerv.verification.ecosystems import UntrustedReport, check_control, host_note, needs_host


@pytest.mark.parametrize(
    "details",
    [
        "E   socket.gaierror: [Errno -3] Temporary failure in name resolution",
        "/lib/socket.py:232: in __init__\nE   PermissionError: [Errno 1] Operation not permitted",
        "Error: listen EPERM: operation not permitted 127.0.0.1",
        "Error: getaddrinfo EAI_AGAIN example.org",
        "listen tcp 127.0.0.1:0: socket: operation not permitted",
        'called `Result::unwrap()` on an `Err` value: Os { code: 1, kind: PermissionDenied, message: "…" }',
        "java.net.SocketException: Operation not permitted",
        "OSError: [Errno 101] Network is unreachable",
        'Get "http://192.0.2.1/": dial tcp 192.0.2.1:80: connect: network is unreachable',
        "dial tcp: lookup example.org: no such host",
        "java.net.UnknownHostException: example.org",
        "redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.",
        'connection to server at "127.0.0.1", port 5432 failed: Connection refused',
        'server = create_connection(("127.0.0.1", 6379))\nConnectionRefusedError: [Errno 111] Connection refused',
        "dial tcp 127.0.0.1:6379: connect: connection refused",
        "Error: connect ECONNREFUSED 127.0.0.1:27017",
        "TypeError: fetch failed\n{'errno': -111, 'code': 'ECONNREFUSED', 'address': '127.0.0.1', 'port': 5432}",
        "OSError: out of pty devices",
        "FileNotFoundError: [Errno 2] No such file or directory: '/dev/ptmx'",
    ],
)
def test_a_failure_for_want_of_a_network_a_service_or_a_terminal_is_recognised(details):
    assert needs_host(details)


@pytest.mark.parametrize(
    "details",
    [
        "",
        "assert 1 == 2",
        "PermissionError: [Errno 13] Permission denied: '/etc/shadow'",
        "connect ECONNREFUSED 127.0.0.1:40913",  # a server of the test's own that was not started
        "dial tcp 127.0.0.1:40913: connect: connection refused",
    ],
)
def test_other_failures_are_not(details):
    assert not needs_host(details)


def test_a_note_names_the_tests_that_need_the_host():
    assert host_note([]) == ()
    assert "a, b" in host_note(["b", "a"])[0]


@pytest.mark.parametrize(("outcomes", "passed"), [((), False), (("skipped",), False), (("failed", "passed"), True)])
def test_a_control_must_fail_each_time(outcomes, passed):
    with pytest.raises(UntrustedReport) as found:
        check_control(outcomes)
    assert found.value.passed is passed
    check_control(("failed", "failed"))
