"""Many samples at once: on a machine that is busy with other things, and over shared caches."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forgetest import plugins
from forgetest.engine.judging.judge import Judge, Judgement
from forgetest.engine.judging.step_runner import Workshop
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.evalset import Case, EvalSet
from forgetest.executors import local
from forgetest.sample import Completion
from grading import case_of

CORES = len(os.sched_getaffinity(0))


def judged(judge: Judge, case: Case, codes: list[str], parallelism: int) -> dict[str, Judgement]:
    """What became of each code, judged by so many at once."""
    eval_set = EvalSet(id="crowd", name="crowd", cases=(case,))

    def judge_one(code: str) -> tuple[str, Judgement]:
        return code, judge.judge(eval_set, case, Completion(text=code, verbatim=True))

    return dict(local.create(parallelism).map(judge_one, codes))


@contextlib.contextmanager
def busy_machine() -> Iterator[None]:
    """Every core has something else to do, all the time."""
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
def test_a_busy_machine_makes_no_time_out(workshop: Workshop):
    """200 right samples that compute all the time, with little time to spare."""
    case = case_of(
        "#[test] fn holds() { assert_eq!(spin(3), 3); } #[test] fn again() { assert_eq!(spin(4), 4); }",
        ["fn spin(x: u64) -> u64"],
        timeout_secs=1.0,
    )
    loop = "while n < 40_000_000 { n = std::hint::black_box(n + 1); }"
    codes = [f"pub fn spin(x: u64) -> u64 {{ let mut n = {number}; {loop} x }}" for number in range(200)]
    judge = Judge(workshop, {"rust": plugins.find("toolchains", "rust")}, "bubblewrap")
    with busy_machine():
        results = judged(judge, case, codes, CORES)
    assert len(results) == 200
    assert [result.reason for result in results.values() if result.unjudged] == []
    tests = [test for result in results.values() if result.verdict for test in result.verdict.tests]
    assert len(tests) == 400
    assert {(test.status, test.timed_out) for test in tests} == {("passed", None)}


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_sample_gets_its_own_verdict(workshop: Workshop, tmp_path: Path, request: pytest.FixtureRequest):
    """500 samples of the same names, whose tests pass in a pattern that is each one's own."""
    bits = 9
    tests = "".join(f"#[test] fn bit_{bit}() {{ assert!(answer() >> {bit} & 1 == 1); }}\n" for bit in range(bits))
    case = case_of(tests, ["fn answer() -> u64"])
    numbers = {f"pub fn answer() -> u64 {{ value() }}\nfn value() -> u64 {{ {n} }}\n": n for n in range(500)}
    binaries = set()
    cache = VerdictCache(tmp_path / "verdicts", max_bytes=1 << 30)
    request.addfinalizer(cache.close)
    for _ in range(2):  # the second time, all is in the cache
        judge = Judge(workshop, {"rust": plugins.find("toolchains", "rust")}, "bubblewrap", cache)
        results = judged(judge, case, list(numbers), 4 * CORES)
        assert len(results) == 500
        for code, result in results.items():
            assert result.verdict is not None, result.reason
            passed = sum(1 << int(test.name[4:]) for test in result.verdict.tests if test.status == "passed")
            assert passed == numbers[code]
            binaries.add(result.verdict.provenance.binary)
    assert len(binaries) == 500
