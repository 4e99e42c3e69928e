"""Many samples at once: on a busy machine, and with shared caches."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.judging.submissions import CachedVerdicts, Submission, Submissions
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.evalset import Case
from forgetest.executors import Judged, local
from forgetest.testing.fakes import FixedWorkerSpec
from grading import case_of, cases_with, judge_with

CORES = len(os.sched_getaffinity(0))


def judged(
    step_runner: StepRunner, case: Case, codes: list[str], parallelism: int, cache: VerdictCache | None = None
) -> dict[str, Judged]:
    """The result of each code, judged by that many slots."""
    verdicts = CachedVerdicts(cache, cases_with(step_runner), "bubblewrap", sharing=True) if cache else None
    submissions = Submissions[str](verdicts)
    known, tasks = submissions.submit([Submission(code, case, code) for code in codes])
    worker = FixedWorkerSpec(judge_with(step_runner, "bubblewrap"))
    results = dict(known)
    for finished in local.create(parallelism, {}).map(worker, [[task] for task in tasks]):
        results |= dict(submissions.settle(finished))
    return results


@contextlib.contextmanager
def busy_machine() -> Iterator[None]:
    """Keep every core busy with something else."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(CORES)]
    try:
        yield
        assert all(other.poll() is None for other in others), "the machine was not busy throughout"
    finally:
        for other in others:
            other.kill()
            other.wait()


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_busy_machine_causes_no_timeouts(step_runner: StepRunner):
    """100 correct samples that compute all the time, close to their time limit."""
    case = case_of(
        "#[test] fn holds() { assert_eq!(spin(3), 3); } #[test] fn again() { assert_eq!(spin(4), 4); }",
        ["fn spin(x: u64) -> u64"],
        timeout_secs=1.0,
    )
    loop = "while n < 40_000_000 { n = std::hint::black_box(n + 1); }"
    codes = [f"pub fn spin(x: u64) -> u64 {{ let mut n = {number}; {loop} x }}" for number in range(100)]
    with busy_machine():
        results = judged(step_runner, case, codes, CORES)
    assert len(results) == 100
    assert [result.reason for result in results.values() if result.verdict is None] == []
    tests = [test for result in results.values() if result.verdict for test in result.verdict.tests]
    assert len(tests) == 200
    assert {(test.status, test.timed_out) for test in tests} == {("passed", None)}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_sample_gets_its_own_verdict(step_runner: StepRunner, tmp_path: Path, request: pytest.FixtureRequest):
    """256 samples with the same names, each with its own pattern of passing tests."""
    bits = 8
    tests = "".join(f"#[test] fn bit_{bit}() {{ assert!(answer() >> {bit} & 1 == 1); }}\n" for bit in range(bits))
    case = case_of(tests, ["fn answer() -> u64"])
    numbers = {f"pub fn answer() -> u64 {{ value() }}\nfn value() -> u64 {{ {n} }}\n": n for n in range(256)}
    binaries = set()
    cache = VerdictCache(tmp_path / "verdicts", max_bytes=1 << 30)
    request.addfinalizer(cache.close)
    for _ in range(2):  # the second time, everything is cached
        results = judged(step_runner, case, list(numbers), 4 * CORES, cache)
        assert len(results) == 256
        for code, result in results.items():
            assert result.verdict is not None, result.reason
            passed = sum(1 << int(test.name[4:]) for test in result.verdict.tests if test.status == "passed")
            assert passed == numbers[code]
            binaries.add(result.verdict.provenance.binary)
    assert len(binaries) == 256
