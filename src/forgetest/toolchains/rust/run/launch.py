"""The launcher's plan and its report: which tests are run how often, and what was observed of each sample."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from forgetest.errors import MachineryError
from forgetest.toolchains.controls import Answer, Twin
from forgetest.toolchains.rust.compile.declared_tests import ExpectedTest
from forgetest.toolchains.rust.compile.diagnostics import SINGLE_SAMPLE, FileNames
from forgetest.toolchains.rust.run import outcomes
from forgetest.toolchains.rust.run.outcomes import RunResult
from forgetest.verdict import Execution, Finding, Limits, Mount, Step, TestOutcome

MEMORY_BYTES = 1 << 30
"""The memory that one test may allocate."""

_REPORTED_BYTES = 80 << 10
"""More than the launcher reports of one run; it cuts messages and output."""

_SLACK_S = 2.0
_OVERRUN_S = 3.0
"""The time by which a test may overrun its CPU time before the kernel stops it, if the launcher does not get to run."""
_WALL_FACTOR, _WALL_S = 10, 30.0
"""A test may wait without computing for as long as it may compute, plus the slack. One that computes gets ten times its
CPU time on the clock: a busy machine must not make a test slow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRun:
    """One run of a test, in a process of its own."""

    __test__ = False

    test: int
    """The test's index."""
    choices: bytes = b""
    """What `carrier::pick` chooses by: with other choices, the same test expects something else."""
    twin: Twin | None = None
    """The twin that the choices make of the test, which an honest sample fails. Never told to the launcher."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTests:
    """The tests of one sample, to be run in one launch. Several samples may share an object."""

    tests: Sequence[ExpectedTest]
    entry: str
    """The symbol of the function that runs them."""
    cpu_s: float
    """CPU time for each run."""
    runs: Sequence[TestRun]
    """In this order. When a run reaches a time limit, later ones of the same test are skipped. In a launch of several
    samples, so are those after a run of the test itself that it did not pass: no control of a failed test counts."""
    files: FileNames = SINGLE_SAMPLE
    code: Sequence[tuple[int, int]] = ()
    """Offset and length of the sample's code in a shared object. The tests of other samples run without it."""

    @property
    def wall_s(self) -> float:
        """Time on the clock for each run."""
        return _WALL_FACTOR * self.cpu_s + _WALL_S


def run_step(parts: Sequence[SampleTests], object_: bytes, mounts: Sequence[Mount], *, alone: bool = False) -> Step:
    """Return the step in which the launcher makes all runs, each in a process of its own."""
    lines, cpu_s, wall_s, runs = [f"memory {MEMORY_BYTES}"], 60.0, 60.0, 0
    for part in parts:
        waiting_ms = round((part.cpu_s + _SLACK_S) * 1000)
        lines.append(f"part {part.entry} {round(part.cpu_s * 1000)} {waiting_ms} {round(part.wall_s * 1000)}")
        lines += [f"code {offset} {length}" for offset, length in part.code]
        names = [_hex(test.name.encode()) for test in part.tests]
        for run in part.runs:
            decisive = " decisive" if run.twin is None and len(parts) > 1 else ""
            lines.append(f"run {run.test} {names[run.test]} {_hex(run.choices)}{decisive}")
        cpu_s += (part.cpu_s + _OVERRUN_S) * len(part.runs)
        wall_s += part.wall_s * len(part.runs)
        runs += len(part.runs)
    lines.append(f"object {len(object_)}")
    plan = "\n".join(lines).encode() + b"\n" + object_
    return Step(
        name="test",
        argv=("/rt/launcher",),
        stdin=f"input {len(plan)}\n".encode() + plan,
        mounts=tuple(mounts),
        env={"LD_LIBRARY_PATH": "/rt:/lib", "RUST_BACKTRACE": "0"},
        limits=Limits(
            cpu_s=cpu_s,
            wall_s=wall_s,
            memory_bytes=MEMORY_BYTES * 5,
            output_bytes=(1 << 20) + _REPORTED_BYTES * runs,
        ),
        workdir=False,
        init=True,
        alone=alone,
    )


@dataclass(frozen=True, slots=True)
class TestReport:
    """What was observed of one sample's tests."""

    __test__ = False

    outcomes: tuple[TestOutcome, ...]
    """Of each test."""
    findings: tuple[Finding, ...]
    wall_ms: float = 0.0
    answers: tuple[Answer, ...] = ()
    """How twins of the tests went."""
    unanswered: int = 0
    """Twins that were stopped, or whose process ended before they did."""
    not_run: tuple[int, ...] = ()
    """Indices of tests that were skipped because a twin of theirs, which came first, was stopped by a time limit."""

    def with_(self, later: TestReport, indices: Collection[int]) -> TestReport:
        """Return this report, with the outcomes and answers of a later launch for the tests at these indices."""
        outcomes = zip(self.outcomes, later.outcomes, strict=True)
        kept = (answer for answer in self.answers if answer.twin.test not in indices)
        return TestReport(
            tuple(new if index in indices else old for index, (old, new) in enumerate(outcomes)),
            tuple(dict.fromkeys((*self.findings, *later.findings))),
            self.wall_ms + later.wall_ms,
            (*kept, *(answer for answer in later.answers if answer.twin.test in indices)),
            self.unanswered + later.unanswered,
        )


def read_report(execution: Execution, part: SampleTests) -> TestReport:
    """Read the launcher's report on one sample."""
    if execution.ended == "memory_limit":  # only a sample takes that much: the launcher itself needs next to nothing
        stopped = [_outcome_without_run(test, "stopped: it used up its memory") for test in part.tests]
        return TestReport(tuple(stopped), ())
    return read_reports(execution, [part])[0]


def read_reports(execution: Execution, parts: Sequence[SampleTests]) -> list[TestReport]:
    """Read the launcher's report on several samples."""
    share_ms = execution.wall_ms / len(parts)
    return [_report(part, results, share_ms) for part, results in zip(parts, read_runs(execution, parts), strict=True)]


def read_runs(execution: Execution, parts: Sequence[SampleTests]) -> list[list[RunResult | None]]:
    """Return what happened in each run, by part and in the order of its runs; None for a run that was skipped.

    Only the launcher writes the report, so an incomplete one is a failure of ours.
    """
    if (
        not execution.succeeded
        or not execution.stdout.startswith(b"ready\n")
        or not execution.stdout.endswith(b"end\n")
    ):
        lines = execution.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(
            f"the launcher did not finish ({execution.ended}): {lines[-1] if lines else 'no reason given'}"
        )
    owners = [(number, index) for number, part in enumerate(parts) for index in range(len(part.runs))]
    results: list[list[RunResult | None]] = [[None] * len(part.runs) for part in parts]
    for position, head, texts in _records(execution.stdout):
        number, index = owners[position]
        part = parts[number]
        ending, wall_us, cpu_us, status = head
        message, panic_text, output = (part.files.readable(text.decode(errors="replace")) for text in texts)
        if ending == "broken":
            name = part.tests[part.runs[index].test].name
            raise MachineryError(f"{name} could not be started: {output.strip() or f'status {status}'}")
        results[number][index] = RunResult(
            ending=ending,
            status=int(status),
            message=message,
            panic_text=panic_text,
            output=output,
            wall_ms=int(wall_us) / 1000,
            cpu_ms=int(cpu_us) / 1000,
        )
    return results


def is_undisturbed(report: TestReport) -> bool:
    """Return whether no outcome depends on the clock, on what another test left behind, or on an unusual end.

    A passed test that passed a twin as well is unusual, too.
    """
    doubtful = ("never ran", "the process exited", "the process ended before the test returned")
    if (
        report.findings
        or report.unanswered
        or any(answer.passed and report.outcomes[answer.twin.test].status == "passed" for answer in report.answers)
    ):
        return False
    return not any(test.timed_out or test.message.startswith(doubtful) for test in report.outcomes)


def _records(report: bytes) -> Iterator[tuple[int, list[str], list[bytes]]]:
    """Yield of each run its position in the plan, the words that describe its end, and its three texts."""
    at = len(b"ready\n")
    while not report.startswith(b"end\n", at):
        end = report.index(b"\n", at)
        position, *head, message_size, panic_text_size, output_size = report[at:end].decode().split()
        texts, at = [], end + 1
        for size in (message_size, panic_text_size, output_size):
            texts.append(report[at : at + int(size)])
            at += int(size)
        yield int(position), head, texts


def _report(part: SampleTests, results: Sequence[RunResult | None], wall_ms: float) -> TestReport:
    made = [(run, result) for run, result in zip(part.runs, results, strict=True) if result is not None]
    findings = dict.fromkeys(
        finding for run, result in made for finding in outcomes.findings(part.tests[run.test], result)
    )
    printed = [finding for finding in findings if finding.kind == "forged_output"]
    return TestReport(
        outcomes=tuple(
            _outcome(test, [(run, result) for run, result in made if run.test == index])
            for index, test in enumerate(part.tests)
        ),
        findings=tuple(finding for finding in findings if finding.kind != "forged_output" or finding is printed[0]),
        wall_ms=wall_ms,
        answers=tuple(
            Answer(twin=run.twin, passed=outcomes.has_passed(part.tests[run.test], result))
            for run, result in made
            if run.twin is not None and result.came_to_an_end  # any other ending says nothing
        ),
        unanswered=sum(run.twin is not None and not result.came_to_an_end for run, result in made),
        not_run=tuple(
            sorted(
                {run.test for run in part.runs if run.twin is None}.difference(
                    run.test for run, _ in made if run.twin is None
                )
            )
        ),
    )


def _outcome(test: ExpectedTest, made: Sequence[tuple[TestRun, RunResult]]) -> TestOutcome:
    """Return the outcome of a test: that of its own runs, all of which must pass."""
    own = [outcomes.outcome(test, result) for run, result in made if run.twin is None]
    # the launcher skips a test's other runs after a time-out, so that of a twin may have to stand for the test's
    own = own or [outcomes.outcome(test, result) for _, result in made if result.timed_out]
    failed = [outcome for outcome in own if outcome.status == "failed"]
    return next(iter(failed or own), _outcome_without_run(test, "never ran"))


def _outcome_without_run(test: ExpectedTest, message: str) -> TestOutcome:
    if test.kind == "ignored":
        return TestOutcome(name=test.name, status="ignored")
    return TestOutcome(name=test.name, status="failed", message=message)


def _hex(data: bytes) -> str:
    return "x" + data.hex()
