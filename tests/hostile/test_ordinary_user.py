"""The corpus and the guarantees of the sandbox hold for an ordinary user as they do for root."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import ordinary_user

pytestmark = [pytest.mark.slow, pytest.mark.timeout(2400)]


@pytest.mark.parametrize(
    ("tests", "which"),
    [
        ("tests/hostile/test_hostile.py", "not slow"),  # a sample of each kind, and all that only the sandbox stops
        ("tests/contract/test_sandboxes.py", "slow or not slow"),
    ],
)
def test_the_corpus_and_the_sandbox_hold_for_an_ordinary_user(
    tests: str, which: str, tmp_path_factory: pytest.TempPathFactory
):
    if reason := ordinary_user.missing():
        pytest.skip(reason)
    home = tmp_path_factory.mktemp("ordinary") / "home"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", str(home / "tmp")]
    command += ["-m", which, tests]
    finished = ordinary_user.run(command, Path(home), timeout=2300, subordinate_ids=True)
    assert finished.returncode == 0, finished.stdout[-5000:] + finished.stderr[-2000:]
    assert " passed" in finished.stdout
    skipped = [line for line in finished.stdout.splitlines() if line.startswith("SKIPPED")]
    # the sandbox does not guarantee it to anybody, or this machine lacks it for everybody
    reasons = ("does not promise", "promises nothing", "needs Landlock", "docker cannot be used", "is not installed")
    assert not [line for line in skipped if not any(reason in line for reason in reasons)]
