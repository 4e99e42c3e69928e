"""Fixtures with a real sandbox and real compilers."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from forgetest import config
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.sandboxes.factory import open_sandbox
from grading import JudgeGrader, cases_with


def pytest_configure() -> None:
    """Make the tests independent of where and how they are started."""
    # a shell that runs them in the background ignores Ctrl-C for every process that they start
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in ("COLUMNS", "LINES", "FORCE_COLOR"):
        os.environ.pop(name, None)  # width and colour of the output
    # the same examples each time without a deadline: neither time nor chance decides
    settings.register_profile(
        "ours", max_examples=50, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("ours")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use one process more than there are cores, up to four: a third of the time, tests wait for what they started."""
    return min(4, len(os.sched_getaffinity(0)) + 1)


def pytest_collection() -> None:
    """Collect no garbage while tests are collected: nearly all of these objects stay."""
    gc.disable()


def pytest_collection_finish() -> None:
    """From now on, look for garbage only among what the tests make."""
    gc.freeze()
    gc.enable()


_LONG_FIRST = ("hostile", "calibration", "e2e", "contract")
"""Folders with long test files; in the others, a file takes seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start long files first, so that no process is still busy with one when the others have nothing left to do."""
    tests = Path(__file__).parent
    names = {item: item.path.relative_to(tests).parts[0] for item in items if item.path.is_relative_to(tests)}
    places = {name: place for place, name in enumerate(_LONG_FIRST)}
    items.sort(key=lambda item: places.get(names.get(item, ""), len(places)))


@pytest.fixture(scope="session")
def step_runner() -> Iterator[StepRunner]:
    """A step runner with the user's own cache, so that launcher and crates are not built in every test run."""
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
