"""The launcher's plan and its report: how tests are run, and which outcomes follow from what it observed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from forgetest.errors import MachineryError
from forgetest.toolchains.rust.compile.diagnostics import SINGLE_SAMPLE, FileNames
from forgetest.toolchains.rust.compile.testfile import ExpectedTest
from forgetest.toolchains.rust.integrity import source_text
from forgetest.verdict import Execution, Finding, Limits, Mount, Step, TestOutcome, TimedOut

MEMORY_BYTES = 1 << 30
"""The memory that one test may allocate."""

_REPORTED_BYTES = 16 << 10
"""More than the launcher reports of one test; it cuts messages and output."""

_MESSAGE_CHARS = 3900
"""A little less than the launcher passes on, so that where a message is cut does not depend on file names."""
_SLACK_S = 2.0
_OVERRUN_S = 3.0
"""The time by which a test may overrun its CPU time before the kernel stops it, if the launcher does not get to run."""
_WALL_FACTOR, _WALL_S = 10, 30.0
"""A test may wait without computing for as long as it may compute, plus the slack. One that computes gets ten times its
CPU time on the clock: a busy machine must not make a test slow."""

_TIME_OUTS: Mapping[str, TimedOut] = {"cpu_limit": "cpu", "waiting_limit": "wall", "wall_limit": "wall"}

_LOADING_FAILED = (95, 96)
"""The launcher's own exit codes for an object that cannot be loaded or has no entry point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleTests:
    """The tests of one sample, to be run once. Several samples may share an object."""

    tests: Sequence[ExpectedTest]
    entry: str
    """The symbol of the function that runs them."""
    cpu_s: float
    """CPU time for each test."""
    only: Collection[int] | None = None
    """Indices of the tests to run; None for all."""
    files: FileNames = SINGLE_SAMPLE

    @property
    def wall_s(self) -> float:
        """Time on the clock for each test."""
        return _WALL_FACTOR * self.cpu_s + _WALL_S

    @property
    def planned(self) -> list[ExpectedTest]:
        """All tests, with those that are not to be run marked as ignored."""
        return [
            test if self.only is None or index in self.only else replace(test, kind="ignored")
            for index, test in enumerate(self.tests)
        ]


def run_step(
    parts: Sequence[SampleTests], object_: bytes, mounts: Sequence[Mount], *, control: bool = False, alone: bool = False
) -> Step:
    """Return the step in which the launcher runs every test, each in a process of its own."""
    lines, cpu_s, wall_s, tests = [f"memory {MEMORY_BYTES}", f"control {int(control)}"], 60.0, 60.0, 0
    for part in parts:
        waiting_ms = round((part.cpu_s + _SLACK_S) * 1000)
        lines.append(f"part {part.entry} {round(part.cpu_s * 1000)} {waiting_ms} {round(part.wall_s * 1000)}")
        lines += [f"test {test.kind} {_hex(test.name)} {_hex(test.panic_text)}" for test in part.planned]
        count = sum(test.kind != "ignored" for test in part.planned) * (2 if control else 1)
        cpu_s += (part.cpu_s + _OVERRUN_S) * count
        wall_s += part.wall_s * count
        tests += len(part.tests)
    lines.append(f"object {len(object_)}")
    return Step(
        name="test",
        argv=("/rt/launcher",),
        stdin="\n".join(lines).encode() + b"\n" + object_,
        mounts=tuple(mounts),
        env={"LD_LIBRARY_PATH": "/rt:/lib", "RUST_BACKTRACE": "0"},
        limits=Limits(
            cpu_s=cpu_s,
            wall_s=wall_s,
            memory_bytes=MEMORY_BYTES * 5,
            output_bytes=(1 << 20) + _REPORTED_BYTES * tests,
        ),
        workdir=False,
        init=True,
        alone=alone,
    )


@dataclass(frozen=True, slots=True)
class TestReport:
    """The launcher's observations of one sample's tests."""

    __test__ = False

    outcomes: tuple[TestOutcome, ...]
    findings: tuple[Finding, ...]
    wall_ms: float = 0.0

    def with_(self, later: TestReport, indices: Collection[int]) -> TestReport:
        """Return this report, with the outcomes of a later run for the tests at these indices."""
        outcomes = zip(self.outcomes, later.outcomes, strict=True)
        return TestReport(
            tuple(new if index in indices else old for index, (old, new) in enumerate(outcomes)),
            tuple(dict.fromkeys((*self.findings, *later.findings))),
            self.wall_ms + later.wall_ms,
        )


def read_report(execution: Execution, part: SampleTests) -> TestReport:
    """Read the launcher's report on one sample."""
    if execution.ended == "memory_limit":  # only a sample takes that much: the launcher itself needs next to nothing
        return TestReport(tuple(_unless_ignored(test, "stopped: it used up its memory") for test in part.tests), ())
    return read_reports(execution, [part])[0]


def read_reports(execution: Execution, parts: Sequence[SampleTests]) -> list[TestReport]:
    """Read the launcher's report. Only the launcher writes it, so an incomplete report is a failure of ours."""
    if (
        not execution.succeeded
        or not execution.stdout.startswith(b"ready\n")
        or not execution.stdout.endswith(b"end\n")
    ):
        lines = execution.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(
            f"the launcher did not finish ({execution.ended}): {lines[-1] if lines else 'no reason given'}"
        )
    owners = [(number, index) for number, part in enumerate(parts) for index in range(len(part.tests))]
    outcomes: list[dict[int, TestOutcome]] = [{} for _ in parts]
    findings: list[list[Finding]] = [[] for _ in parts]
    at = len(b"ready\n")
    while not execution.stdout.startswith(b"end\n", at):
        end = execution.stdout.index(b"\n", at)
        position, ending, wall_us, cpu_us, status, message_size, output_size = execution.stdout[at:end].decode().split()
        message_at = end + 1
        output_at = message_at + int(message_size)
        at = output_at + int(output_size)
        number, index = owners[int(position)]
        test, files = parts[number].tests[index], parts[number].files
        message, output = (
            files.readable(execution.stdout[start:stop].decode(errors="replace"))
            for start, stop in ((message_at, output_at), (output_at, at))
        )
        if ending == "broken":
            raise MachineryError(f"{test.name} could not be started: {output.strip() or f'status {status}'}")
        outcomes[number][index] = TestOutcome(
            name=test.name,
            status="passed" if ending == "passed" else "failed",
            message=message[:_MESSAGE_CHARS] or _explain(ending, int(status)),
            stdout=output if ending != "passed" else "",
            wall_ms=int(wall_us) / 1000,
            cpu_ms=int(cpu_us) / 1000,
            timed_out=_TIME_OUTS.get(ending),
        )
        findings[number] += _ending_findings(test.name, ending, int(status), output)
    share_ms = execution.wall_ms / len(parts)
    return [_report(*sample, share_ms) for sample in zip(parts, outcomes, findings, strict=True)]


def is_undisturbed(report: TestReport) -> bool:
    """Return whether no outcome depends on the clock, on what another test left behind, or on a kill from outside."""
    doubtful = ("never ran", "the process exited", "the process ended before the test returned: killed")
    return not report.findings and not any(
        test.timed_out or test.message.startswith(doubtful) for test in report.outcomes
    )


def _ending_findings(name: str, ending: str, status: int, output: str) -> Iterator[Finding]:
    code = status >> 8
    if ending == "ended" and status & 0x7F == 0 and code not in _LOADING_FAILED:
        yield Finding(kind="early_exit", detail=f"{name}: the process exited with code {code}")
    elif ending == "lied":
        yield Finding(kind="forged_verdict", detail=f"{name}: claimed success in a control run")
    elif ending == "garbled":
        yield Finding(kind="forged_verdict", detail=f"{name}: wrote into the verdict's own pipe")
    if source_text.prints_results(output):
        detail = f"{name}: printed what looks like a test runner's result"
        yield Finding(kind="forged_output", detail=detail, forbids=False)


def _report(
    part: SampleTests, found: Mapping[int, TestOutcome], findings: Sequence[Finding], wall_ms: float
) -> TestReport:
    outcomes = [found.get(index, _unless_ignored(test, "never ran")) for index, test in enumerate(part.tests)]
    printed = [finding for finding in findings if finding.kind == "forged_output"]
    once = [finding for finding in findings if finding.kind != "forged_output" or finding is printed[0]]
    return TestReport(outcomes=tuple(outcomes), findings=tuple(once), wall_ms=wall_ms)


def _unless_ignored(test: ExpectedTest, message: str) -> TestOutcome:
    if test.kind == "ignored":
        return TestOutcome(name=test.name, status="ignored")
    return TestOutcome(name=test.name, status="failed", message=message)


def _explain(ending: str, status: int) -> str:
    match ending:
        case "passed":
            return ""
        case "cpu_limit":
            return "stopped: it used up its CPU time"
        case "wall_limit":
            return "stopped: it did not end in time, though it had CPU time left"
        case "waiting_limit":
            return "stopped: it waited, and computed nothing, for longer than it may run"
        case "flooded":
            return "stopped: it printed more than 256 MiB"
        case "garbled":
            return "spoke where only the launcher's own code may"
        case "littered":
            return "never ran: an earlier test left files that cannot be removed"
        case "lied":
            return "claimed success where it could not succeed"
        case "failed":
            return "failed without a message"
    number = status & 0x7F
    if number:
        name = {6: "aborted", 9: "killed", 11: "segmentation fault (or a stack that overflowed)"}.get(
            number, f"signal {number}"
        )
        return f"the process ended before the test returned: {name}"
    return f"the process exited with code {status >> 8} before the test returned"


def _hex(text: str) -> str:
    return "x" + text.encode().hex()
