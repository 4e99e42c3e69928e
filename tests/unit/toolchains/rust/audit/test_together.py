"""What a process in which all tests ran says about them."""

from __future__ import annotations

import pytest

from forgetest.toolchains.rust.audit import together
from forgetest.toolchains.rust.compile.declared_tests import ExpectedTest
from forgetest.toolchains.rust.run.outcomes import RunResult


@pytest.mark.parametrize(
    ("result", "failed"),
    [
        (RunResult(ending="returned"), []),
        (RunResult(ending="panicked", panic_text="failed tests: 0 12"), [0, 12]),
        (RunResult(ending="panicked", panic_text="index out of bounds"), None),
        (RunResult(ending="cpu_limit"), None),
        (RunResult(ending="ended", status=6), None),
    ],
)
def test_the_failed_tests_are_those_that_the_process_names(result: RunResult, failed: list[int] | None):
    assert together.failed_tests(result) == failed


def test_the_text_of_a_panic_is_written_so_that_nothing_in_it_is_code():
    tests = [ExpectedTest(name="a", kind="should_panic", panic_text='"), evil!("\n')]
    written = together.function(tests, "secret")
    assert "evil" not in written
    assert r"\u{22}\u{29}" in written
