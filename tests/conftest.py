"""What tests at the edges share: a real sandbox, real compilers, a judge over them."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from forgetest import config
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.sandbox import open_sandbox
from forgetest.engine.judging.step_runner import StepRunner
from grading import JudgeGrader, cases_with


def pytest_configure() -> None:
    """Takes out of the tests what differs between the places that they are started from."""
    # a shell that runs them in the background has Ctrl-C ignored, for all that they start
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("COLUMNS", "LINES", "FORCE_COLOR"):
        os.environ.pop(name, None)  # how wide lines are, and how coloured
    # the same examples each time, however long they take: no clock and no chance decides
    settings.register_profile("ours", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("ours")


@pytest.fixture(scope="session")
def step_runner() -> Iterator[StepRunner]:
    """With the user's own cache, so that launcher and crates are built once, not once a test run."""
    environment = config.host_environment()
    for tool in ("bwrap", "rustc"):
        if shutil.which(tool, path=environment["PATH"]) is None:
            pytest.skip(f"{tool} is not installed: run scripts/setup")
    sandbox = open_sandbox("bubblewrap")
    yield StepRunner(sandbox, config.cache_folder(), environment)
    sandbox.close()


@pytest.fixture(scope="session")
def grade(step_runner: StepRunner) -> JudgeGrader:
    cases = cases_with(step_runner)
    return JudgeGrader(Judge(step_runner, cases, "bubblewrap"), cases)
