"""Samples that try to pass without being correct, or to break out of the sandbox, and honest ones that look odd.

Each file in `cases/NAME/samples/` is one answer to the case in `cases/NAME/case.toml`. Its header states what it
attempts and the expected verdict, then how it is stopped:

    //! attempts: end the process with success before a test can fail
    //! must: not correct
    //! findings: early_exit

`findings:` are integrity findings that it must lead to. Other samples have one of these instead:

- `class:`, one of `corpus.CLASSES`: it has not earned its verdict, whatever it is that finds this out;
- `breach:` it forges nothing, and only the sandbox stops it;
- `unnamed:` its code is what an honest author could have written.

A sample that must be correct may state `verified: yes` or `verified: no`. The header of a sample with a shebang stands
below it. `@TCP4@` and the like are replaced by targets on the host, see `conftest.py`.

Issues and pull requests that add a sample are welcome: a forgery that is judged correct is the most valuable file that
this folder can get.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import corpus
from company import Table
from corpus import CLASSES, SAMPLES, case_of_sample, header, name_of, samples_of
from forgetest import config, plugins, scoring
from forgetest.engine.judging.step_runner import StepRunner
from grading import RIGHT, Graded, JudgeGrader
from workbench import alive, descendants

WRONG = RIGHT.replace("3", "2")
CORES = len(os.sched_getaffinity(0))
CASE = corpus.case_named("triple")
OPEN = dict(line.split(": ", 1) for line in Path(__file__).with_name("open.txt").read_text().splitlines()[1:])
"""Known forgeries that are believed, with the reasons. One that is refused after all fails, and has to be taken out."""


def marks(path: Path) -> list[pytest.MarkDecorator]:
    """Mark what is open, and what is not judged at once as slow."""
    found = [pytest.mark.slow] if path not in AT_ONCE else []
    if name_of(path) in OPEN:
        found.append(pytest.mark.xfail(reason=OPEN[name_of(path)], strict=True))
    return found


def first_of_each_kind() -> Iterable[Path]:
    """The first of the samples whose headers demand the same: verdict, findings and class."""
    kinds: dict[object, Path] = {}
    for path in SAMPLES:
        demands = frozenset(
            (key, value) for key, value in header(path).items() if key in {"must", "findings", "class", "verified"}
        )
        kinds.setdefault(demands, path)
    return kinds.values()


_OF_EACH_DEFENCE = {
    *(path for path in SAMPLES if "breach" in header(path) or name_of(path) in OPEN),
    *first_of_each_kind(),
    *SAMPLES[::40],
}
"""What only the sandbox stops, one of each kind, and a fortieth of all."""
UNTIL_A_LIMIT = {
    *("compile-a-bomb", "compile-flood", "compile-huge-types", "compile-without-end", "files-without-end"),
    *("fill-the-disk", "fork-bomb", "loop-without-end", "memory-without-end", "park-for-ever"),
}
"""Each takes four to nine seconds of CPU time; the default lane tests these limits in `tests/contract`."""
AT_ONCE = {path for path in _OF_EACH_DEFENCE if path.stem not in UNTIL_A_LIMIT}
"""Judged in the default lane."""
JUDGED = [pytest.param(path, id=name_of(path), marks=marks(path)) for path in SAMPLES]


@pytest.fixture(scope="module")
def untouched(step_runner: StepRunner, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Check that the samples changed neither the tools that all of them share nor a file outside the sandbox."""
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
    """Hashes of the launcher and its libraries, which all samples share."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir() if file.is_file()}


@pytest.fixture(scope="module")
def graded(
    request: pytest.FixtureRequest, grade: JudgeGrader, baited: Callable[[str], str], untouched: None
) -> Iterator[Callable[[Path], Graded]]:
    """The grade of each sample, judged as in a run, one per core; no process of a sample may be left."""
    asked = [item for item in request.session.items if item.path == Path(__file__) and "graded" in item.fixturenames]
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(lambda _: grade(RIGHT, CASE), range(CORES)))  # starts everything that is started only once
        before = descendants(os.getpid())
        futures = {
            path: pool.submit(grade, baited(path.read_bytes().decode()), case_of_sample(path))
            for path in (item.callspec.params["path"] for item in asked)
        }
        yield lambda path: futures[path].result()
        pool.shutdown(cancel_futures=True)
    deadline = time.monotonic() + 60
    while left := alive(descendants(os.getpid()) - before):  # killed processes may take a moment to disappear
        assert time.monotonic() < deadline, f"something was left running: {left}"
        time.sleep(0.05)


@pytest.mark.parametrize("path", JUDGED)
def test_each_sample_of_the_corpus_gets_its_expected_verdict(graded: Callable[[Path], Graded], path: Path):
    corpus.check(path, graded(path))


@pytest.mark.parametrize("path", SAMPLES, ids=name_of)
def test_every_sample_states_what_it_attempts_and_the_expected_verdict(path: Path):
    expected = header(path)
    assert {"attempts", "must"} <= set(expected)
    if expected["must"] == "not correct":
        stopped = {"findings", "class", "breach", "unnamed"} & set(expected)
        assert stopped, "name its findings or its class, or say why there are none"
    assert expected.get("class", "types") in CLASSES


def test_the_corpus_is_not_shrinking():
    headers = [header(path) for path in SAMPLES]
    assert sum(found["must"] == "correct" for found in headers) >= 120
    assert sum(found["must"] == "not correct" for found in headers) >= 240
    assert sum(found["must"] == "not correct" and "findings" in found for found in headers) >= 80


@pytest.mark.slow
def test_no_sample_of_the_corpus_gets_by_in_a_shared_compiler_call(
    step_runner: StepRunner, baited: Callable[[str], str]
):
    """Samples that cannot share a compiler call are judged alone, as above."""
    table, judged, samples = Table(step_runner), 0, samples_of("triple")
    for first in range(0, len(samples), 12):
        group = samples[first : first + 12]
        honest = [f"{code}// {number}\n" for number in (1, 2) for code in (RIGHT, WRONG)]
        codes = [*(baited(path.read_bytes().decode()) for path in group), *honest]
        verdicts, _ = table.together([(code, CASE) for code in codes])
        for path, verdict in zip(group, verdicts, strict=False):
            if verdict is not None:
                expected = header(path)
                judged += 1
                assert not verdict.integrity
                assert not expected.get("findings"), path.stem
                right = not scoring.shortcomings(verdict, CASE.expectations)
                assert right == (expected["must"] == "correct"), path.stem
        for code, verdict in zip(honest, verdicts[len(group) :], strict=True):
            if verdict is not None:
                assert (not scoring.shortcomings(verdict, CASE.expectations)) == code.startswith(RIGHT)
    assert judged >= 20
