"""The corpus in containers: everything that bubblewrap prevents is prevented, and correct samples are correct."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import corpus
from corpus import header, samples_of
from forgetest import config
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.errors import UserError
from forgetest.sandboxes.container import engines, owner
from forgetest.sandboxes.container.sandbox import Container
from forgetest.sandboxes.factory import open_sandbox
from grading import Graded, JudgeGrader, judge_with

CASE = corpus.case_named("triple")
SAMPLES = samples_of("triple")
AT_ONCE = {
    *("network-unix", "read-other-samples", "leave-a-daemon", "signal-everybody", "exit-in-function"),
    *("honest-threads", "honest-temporary-files"),
}
"""Tested in the default lane; the slow lane has every attack that a sandbox must stop, and a sixth of the others."""
VISIBLE = {"read-host-files"}
"""It tests whether paths exist, and every engine adds some of them; the probe shows that none can be opened."""
CHOSEN = [
    path
    for path in SAMPLES
    if path.stem not in VISIBLE and (path.stem in AT_ONCE or "breach" in header(path) or path in SAMPLES[::6])
]


@pytest.fixture(scope="module", params=["podman", "docker"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Container]:
    try:
        made = open_sandbox(request.param)
        assert isinstance(made, Container)
    except UserError as error:
        pytest.skip(str(error))
    yield made
    ours = f"label={engines.LABEL}={owner.this_process()}"
    deadline = time.monotonic() + 120
    while engines.call(made.engine, "ps", "--all", "--quiet", "--filter", ours).stdout:
        assert time.monotonic() < deadline, "a container was left"
        time.sleep(0.5)
    made.close()


@pytest.fixture(scope="module")
def graded(
    request: pytest.FixtureRequest, sandbox: Container, baited: Callable[[str], str]
) -> Iterator[Callable[[Path], Graded]]:
    """The grades of the requested samples, judged in parallel, one per core."""
    if shutil.which("rustc", path=config.host_environment()["PATH"]) is None:
        pytest.skip("rustc is not installed: run scripts/setup")
    step_runner = StepRunner(sandbox, config.cache_folder(), config.host_environment())
    grade = JudgeGrader(judge_with(step_runner, sandbox.engine.name))
    asked = {item.callspec.params["path"] for item in request.session.items if item.path == Path(__file__)}
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        futures = {path: pool.submit(grade, baited(path.read_bytes().decode()), CASE) for path in sorted(asked)}
        yield lambda path: futures[path].result()
        pool.shutdown(cancel_futures=True)


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, id=path.stem, marks=() if path.stem in AT_ONCE else pytest.mark.slow) for path in CHOSEN],
)
def test_each_sample_of_the_corpus_gets_its_expected_verdict_in_containers(
    graded: Callable[[Path], Graded], path: Path
):
    corpus.check(path, graded(path))
