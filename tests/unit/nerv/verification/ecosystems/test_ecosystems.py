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
        "OSError: out of pty devices",
        "FileNotFoundError: [Errno 2] No such file or directory: '/dev/ptmx'",
    ],
)
def test_a_failure_for_want_of_a_network_or_a_terminal_is_recognised(details):
    assert needs_host(details)


@pytest.mark.parametrize(
    "details", ["", "assert 1 == 2", "PermissionError: [Errno 13] Permission denied: '/etc/shadow'"]
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
