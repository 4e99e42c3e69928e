"""A Python sample → its verdict: imports it, runs its tests, lints it. Several samples can share the steps."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from forgetest.errors import MachineryError
from forgetest.evalset import Case
from forgetest.toolchains.python import launch, lint
from forgetest.toolchains.python.discovery import LOADING, ExpectedTest
from forgetest.toolchains.python.launch import RunResult, TestRun
from forgetest.toolchains.python.outcomes import TestReport, import_error
from forgetest.toolchains.python.preparation import PreparedCase
from forgetest.toolchains.timing import TIMES_THE_REFERENCE, retry_alone, run_with_fair_limits
from forgetest.verdict import Condition, Execution, Provenance, Step, TestOutcome, Verdict

_SHARED_CPU_S = 0.5
"""A test that takes longer in a launch of several samples is run again alone, with the time limit of its case."""
_SHORT_CPU_S = 1.0
"""A time limit that is not longer applies in a launch of several samples as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonSample:
    """A sample of a prepared case."""

    prepared: PreparedCase
    case: Case
    code: str

    def runs(self, cpu_s: float, only: Sequence[int] | None = None) -> dict[int, TestRun]:
        """Return the runs of the tests that are not ignored, or of those at some indices."""
        return {
            index: TestRun(prepared=self.prepared, code=self.code, test=test, cpu_s=cpu_s)
            for index, test in enumerate(self.tests)
            if not test.is_ignored and (only is None or index in only)
        }

    @property
    def shared_cpu_s(self) -> float:
        """The CPU time for each test in a launch of several samples."""
        limit_s = self.case.timeout_secs
        return limit_s if limit_s <= _SHORT_CPU_S else _SHARED_CPU_S

    @property
    def is_limit_final(self) -> bool:
        """A test that reaches the limit of CPU time in a launch of several samples need not be run again."""
        return self.shared_cpu_s == self.case.timeout_secs and self.case.reference_solution is None

    @property
    def tests(self) -> tuple[ExpectedTest, ...]:
        """The tests; importing the sample is one if none of them runs."""
        tests = self.prepared.test_file.tests
        return tests if any(not test.is_ignored for test in tests) else (*tests, LOADING)

    def run(
        self, *, cpu_s: float, only: Sequence[int] | None = None, alone: bool = False
    ) -> Generator[Step, Execution, TestReport]:
        """Run the tests, or only some of them."""
        runs = self.runs(cpu_s, only)
        execution = yield launch.run_step(list(runs.values()), alone=alone)
        if execution.ended == "memory_limit":  # only a sample takes that much
            stopped = RunResult(
                ending="failed", message="stopped: it used up its memory", notes={}, doubts={}, has_loaded=True
            )
            return self.report(dict.fromkeys(runs, stopped), execution.wall_ms)
        results = launch.read_results(execution, list(runs.values()))
        return self.report(dict(zip(runs, results, strict=True)), execution.wall_ms)

    def report(self, results: dict[int, RunResult | None], wall_ms: float) -> TestReport:
        """Return the report of runs at these indices."""
        return TestReport(self.tests, tuple(results.get(index) for index in range(len(self.tests))), wall_ms)


def judge(sample: PythonSample) -> Generator[Step, Execution, Verdict]:
    """Judge one sample."""
    report = yield from run_with_fair_limits(
        sample.run, sample.case.timeout_secs, lambda indices: _reference_cpu_s(sample, indices)
    )
    verdict = _verdict(sample, report)
    if not verdict.compiled or not sample.prepared.is_linted:
        return verdict
    linted = yield from retry_alone(lint.lint_step(sample.prepared.tools, [sample.code]))
    [lints] = lint.read_lints(linted, 1)
    return replace(verdict, lints=lints)


def judge_together(samples: Sequence[PythonSample]) -> Generator[Step, Execution, list[Verdict | None]]:
    """Judge samples in one launch; None for a sample that has to be judged alone.

    Every test has processes of its own, as always, and nothing that one sample does can be seen by another. What may
    depend on the others is how long something takes: a test that reached a limit counts for nothing here.
    """
    verdicts: list[Verdict | None] = [None] * len(samples)
    by_tools: dict[tuple[str, str], list[int]] = {}
    for index, sample in enumerate(samples):
        by_tools.setdefault((sample.prepared.tools.version, sample.prepared.runtime), []).append(index)
    for indices in by_tools.values():
        found = yield from _judge_group([samples[index] for index in indices])
        for index, verdict in zip(indices, found, strict=True):
            verdicts[index] = verdict
    return verdicts


def _judge_group(samples: Sequence[PythonSample]) -> Generator[Step, Execution, list[Verdict | None]]:
    verdicts = yield from _test_group(samples)
    compiled = [
        index
        for index, verdict in enumerate(verdicts)
        if verdict is not None and verdict.compiled and samples[index].prepared.is_linted
    ]
    if compiled:
        linted = yield from retry_alone(
            lint.lint_step(samples[0].prepared.tools, [samples[index].code for index in compiled])
        )
        for index, lints in zip(compiled, lint.read_lints(linted, len(compiled)), strict=True):
            verdict = verdicts[index]
            verdicts[index] = None if verdict is None else replace(verdict, lints=lints)
    return verdicts


def _test_group(samples: Sequence[PythonSample]) -> Generator[Step, Execution, list[Verdict | None]]:
    """Return verdicts without lints. If the launch fails, each half of the samples has one of its own."""
    parts = [sample.runs(sample.shared_cpu_s) for sample in samples]
    runs = [run for part in parts for run in part.values()]
    execution = yield launch.run_step(runs, is_shared=True)
    try:
        results = iter(launch.read_results(execution, runs))
    except MachineryError:
        if len(samples) == 1:
            return [None]
        half = len(samples) // 2
        first = yield from _test_group(samples[:half])
        return first + (yield from _test_group(samples[half:]))
    verdicts: list[Verdict | None] = []
    for sample, part in zip(samples, parts, strict=True):
        report = sample.report({index: next(results) for index in part}, execution.wall_ms * len(part) / len(runs))
        verdicts.append(_verdict(sample, report) if report.is_undisturbed(sample.is_limit_final) else None)
    return verdicts


def _reference_cpu_s(sample: PythonSample, indices: Sequence[int]) -> Generator[Step, Execution, float]:
    """Return the most CPU time that the reference solution takes for one of these tests; 0 if that is not known."""
    solution = sample.case.reference_solution
    if solution is None or solution.strip() == sample.code.strip():
        return 0.0
    reference = replace(sample, code=solution)
    report = yield from reference.run(cpu_s=sample.case.timeout_secs * TIMES_THE_REFERENCE, only=indices)
    outcomes = [report.outcomes[index] for index in indices]
    return max((outcome.cpu_ms for outcome in outcomes if outcome.status == "passed"), default=0.0) / 1000


def _verdict(sample: PythonSample, report: TestReport) -> Verdict:
    """Return the verdict without lints."""
    failure = report.load_failure
    count = len(sample.prepared.test_file.tests)
    return Verdict(
        compiled=failure is None,
        errors=() if failure is None else (import_error(failure, sample.code),),
        tests=_without_loading(report.outcomes, count),
        conditions=() if failure is not None else _conditions(sample, report),
        integrity=tuple(dict.fromkeys(report.findings())),
        provenance=_provenance(sample),
        test_ms=report.wall_ms,
    )


def _without_loading(outcomes: Sequence[TestOutcome], count: int) -> tuple[TestOutcome, ...]:
    return tuple(outcomes[:count])


def _conditions(sample: PythonSample, report: TestReport) -> tuple[Condition, ...]:
    expectations = sample.case.expectations
    entries = [("expected_functions", entry) for entry in expectations.expected_functions]
    entries += [("expected_types", entry) for entry in expectations.expected_types]
    missing = report.missing
    return tuple(
        Condition(
            name=kind, holds=name not in missing, detail="" if name not in missing else f"`{entry}` is not defined"
        )
        for (kind, entry), name in zip(entries, sample.prepared.expected, strict=True)
    )


def _provenance(sample: PythonSample) -> Provenance:
    expectations, prepared = sample.case.expectations, sample.prepared
    expected = [expectations.test_file or "", *expectations.expected_functions, *expectations.expected_types]
    return Provenance(
        source=_hash(sample.code),
        tests=_hash("\0".join([*expected, prepared.module, prepared.test_file.entry])),
        dependencies=prepared.tools.packages.lock,
        toolchain=prepared.tools.version,
        flags=_hash(" ".join([prepared.runtime, *(lint.RULES if prepared.is_linted else ())])),
        binary=None,
    )


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
