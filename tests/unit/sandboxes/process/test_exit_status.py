from __future__ import annotations

import signal

import pytest

from forgetest.sandboxes.process import exit_status


@pytest.mark.parametrize("code", [0, 1, 127, 128])
def test_a_code_up_to_128_is_an_exit_code(code: int) -> None:
    assert exit_status.decode(code) == ("exited", code)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL, signal.SIGSEGV])
def test_a_higher_code_is_a_signal(number: signal.Signals) -> None:
    assert exit_status.decode(128 + number) == ("signalled", -number)


def test_sigxcpu_means_that_the_cpu_time_was_used_up() -> None:
    assert exit_status.decode(128 + signal.SIGXCPU) == ("cpu_limit", -signal.SIGXCPU)


@pytest.mark.parametrize(
    ("stderr", "line"),
    [(b"", ""), (b"\n \n", ""), (b"first\nlast\n\n", "last"), (b"\xff", "\N{REPLACEMENT CHARACTER}")],
)
def test_the_last_line_of_stderr_explains_a_failure(stderr: bytes, line: str) -> None:
    assert exit_status.last_line(stderr) == line
