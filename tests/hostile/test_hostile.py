"""Samples that try to be judged right without being right, or to break out, and honest ones that look odd.

One file a sample, in `samples/`. It begins with what it attempts and what must come of it; then which integrity
findings it must show, or why there is none to show:

    //! attempts: end the process with success before a test can fail
    //! must: not correct
    //! findings: early_exit

`breach:` stands where there is nothing to forge, and it is the sandbox that holds; `unnamed:` where an honest
author could have written the same. `@TCP4@` and the like stand for what there is on the host to be reached, see
`conftest.py`. All face the tests in `case.rs`. Issues and pull requests that add a sample are
welcome: a forgery that is judged correct is the most valuable file that this folder can get.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import corpus
from company import Table
from corpus import CASE, SAMPLES, header
from forgetest import config, plugins, scoring
from forgetest.engine.judging.step_runner import StepRunner
from grading import RIGHT, Graded, JudgeGrader
from workbench import alive, descendants

WRONG = RIGHT.replace("3", "2")
CORES = len(os.sched_getaffinity(0))


@pytest.fixture(scope="module")
def untouched(step_runner: StepRunner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Check that no sample changed what is built once for all, or a file that no sample can reach."""
    prepared = step_runner.prepare(plugins.find("toolchains", "rust"), CASE)
    runtime = config.cache_folder() / "kept" / prepared.case_build.runtime.removeprefix("kept:")
    bystander = tmp_path_factory.mktemp("bystander") / "file"
    bystander.write_text("as it was")
    before = hashes(runtime)
    assert {"launcher", "libcarrier.so"} <= set(before)
    yield
    assert hashes(runtime) == before
    assert bystander.read_text() == "as it was"
    assert list(bystander.parent.iterdir()) == [bystander]


def hashes(folder: Path) -> dict[str, str]:
    """The launcher and its libraries, of which all samples see the same copy."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir() if file.is_file()}


@pytest.fixture(scope="module")
def graded(
    request: pytest.FixtureRequest, grade: JudgeGrader, baited: Callable[[str], str], untouched: None
) -> Iterator[Callable[[Path], Graded]]:
    """What became of each sample: judged as by a run, one a core at once. Nothing of any is left running."""
    asked = [item for item in request.session.items if item.path == Path(__file__) and "graded" in item.fixturenames]
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(lambda _: grade(RIGHT, CASE), range(CORES)))  # whatever is started once is started now
        before = descendants(os.getpid())
        futures = {
            path: pool.submit(grade, baited(path.read_bytes().decode()), CASE)
            for path in (item.callspec.params["path"] for item in asked)
        }
        yield lambda path: futures[path].result()
        pool.shutdown(cancel_futures=True)
    deadline = time.monotonic() + 60
    while left := alive(descendants(os.getpid()) - before):  # what was killed may take a moment to be gone
        assert time.monotonic() < deadline, f"something was left running: {left}"
        time.sleep(0.05)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_corpus(graded: Callable[[Path], Graded], path: Path):
    corpus.check(path, graded(path))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_says_what_it_attempts_and_what_must_be_seen_of_it(path: Path):
    told = header(path)
    assert {"attempts", "must"} <= set(told)
    if told["must"] == "not correct":
        assert {"findings", "breach", "unnamed"} & set(told), "name its findings, or say why there are none"


def test_the_corpus_is_not_shrinking():
    told = [header(path) for path in SAMPLES]
    assert sum(each["must"] == "correct" for each in told) >= 40
    assert sum(each["must"] == "not correct" for each in told) >= 140
    assert sum(each["must"] == "not correct" and "findings" in each for each in told) >= 80


@pytest.mark.slow
def test_nothing_in_the_corpus_gets_by_in_company(step_runner: StepRunner, baited: Callable[[str], str]):
    """In one compiler call with others; whatever is not judged there is judged alone, as above."""
    table, judged = Table(step_runner), 0
    for first in range(0, len(SAMPLES), 12):
        group = SAMPLES[first : first + 12]
        honest = [f"{code}// {number}\n" for number in (1, 2) for code in (RIGHT, WRONG)]
        codes = [*(baited(path.read_bytes().decode()) for path in group), *honest]
        verdicts, _ = table.together([(code, CASE) for code in codes])
        for path, verdict in zip(group, verdicts, strict=False):
            if verdict is not None:
                told = header(path)
                judged += 1
                assert not verdict.integrity
                assert not told.get("findings"), path.stem
                right = not scoring.shortcomings(verdict, CASE.expectations)
                assert right == (told["must"] == "correct"), path.stem
        for code, verdict in zip(honest, verdicts[len(group) :], strict=True):
            if verdict is not None:
                assert (not scoring.shortcomings(verdict, CASE.expectations)) == code.startswith(RIGHT)
    assert judged >= 20
