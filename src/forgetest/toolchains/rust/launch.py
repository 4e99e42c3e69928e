"""The launcher's plan and report: how tests are run, and what is believed of what comes back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from forgetest.errors import MachineryError
from forgetest.toolchains.rust import tells
from forgetest.toolchains.rust.testfile import ExpectedTest
from forgetest.verdict import Execution, Finding, Limits, Mount, Step, TestOutcome, TimedOut

MEMORY_BYTES = 1 << 30
"""What one test may allocate."""

_REPORTED_BYTES = 16 << 10
"""More than the launcher reports of one test: what it says and prints is cut."""

_SLACK_S = 2.0
_OVERRUN_S = 3.0
"""What a test may take beyond its CPU time before the kernel stops it, where the launcher is not let on."""
_WALL_FACTOR, _WALL_S = 10, 30.0
"""A test may wait, computing nothing, for as long as it may compute, and a little. One that computes is given ten
times as long on the clock as it may take of the CPU: a busy machine must not make a slow test."""

_TIME_OUTS: Mapping[str, TimedOut] = {"cpu_limit": "cpu", "waiting_limit": "wall", "wall_limit": "wall"}

_LOADING_FAILED = (95, 96)
"""The launcher's own exit codes for an object that cannot be loaded, or has no entry."""


def run_step(
    tests: Sequence[ExpectedTest],
    entry: str,
    object_: bytes,
    mounts: Sequence[Mount],
    cpu_s: float,
    *,
    control: bool,
    only: Collection[int] | None = None,
    alone: bool = False,
) -> Step:
    """Run every test, or only those, by the launcher, each in a process of its own with `cpu_s` of CPU time."""
    asked = [_asked(test, index, only) for index, test in enumerate(tests)]
    count = sum(test.kind != "ignored" for test in asked) * (2 if control else 1)
    wall_s = _WALL_FACTOR * cpu_s + _WALL_S
    lines = [
        f"entry {entry}",
        f"cpu_ms {round(cpu_s * 1000)}",
        f"waiting_ms {round((cpu_s + _SLACK_S) * 1000)}",
        f"wall_ms {round(wall_s * 1000)}",
        f"memory {MEMORY_BYTES}",
        f"control {int(control)}",
        *(f"test {test.kind} {_hex(test.name)} {_hex(test.panic_text)}" for test in asked),
        f"object {len(object_)}",
    ]
    return Step(
        name="test",
        argv=("/rt/launcher",),
        stdin="\n".join(lines).encode() + b"\n" + object_,
        mounts=tuple(mounts),
        env={"LD_LIBRARY_PATH": "/rt:/lib", "RUST_BACKTRACE": "0"},
        limits=Limits(
            cpu_s=(cpu_s + _OVERRUN_S) * count + 60,
            wall_s=wall_s * count + 60,
            memory_bytes=MEMORY_BYTES * 5,
            output_bytes=(1 << 20) + _REPORTED_BYTES * len(tests),
        ),
        workdir=False,
        init=True,
        alone=alone,
    )


def _asked(test: ExpectedTest, index: int, only: Collection[int] | None) -> ExpectedTest:
    return test if only is None or index in only else replace(test, kind="ignored")


@dataclass(frozen=True, slots=True)
class Report:
    """What the launcher observed."""

    outcomes: tuple[TestOutcome, ...]
    findings: tuple[Finding, ...]
    wall_ms: float = 0.0

    def with_(self, later: Report, indices: Collection[int]) -> Report:
        """This report, with what a later run of some of the tests says of these."""
        outcomes = zip(self.outcomes, later.outcomes, strict=True)
        return Report(
            tuple(new if index in indices else old for index, (old, new) in enumerate(outcomes)),
            tuple(dict.fromkeys((*self.findings, *later.findings))),
            self.wall_ms + later.wall_ms,
        )


def read(execution: Execution, tests: Sequence[ExpectedTest]) -> Report:
    """Read the launcher's report. It alone writes it, so a report that is not whole is a failure of ours."""
    if execution.ended == "memory_limit":  # only a sample takes as much: the launcher itself needs next to nothing
        return Report(tuple(_unless_ignored(test, "stopped: it used up its memory") for test in tests), ())
    if (
        not execution.succeeded
        or not execution.stdout.startswith(b"ready\n")
        or not execution.stdout.endswith(b"end\n")
    ):
        told = execution.stderr.decode(errors="replace").strip().splitlines()
        raise MachineryError(
            f"the launcher did not finish ({execution.ended}): {told[-1] if told else 'no reason given'}"
        )
    outcomes = {
        index: TestOutcome(name=test.name, status="ignored")
        for index, test in enumerate(tests)
        if test.kind == "ignored"
    }
    findings = []
    at = len(b"ready\n")
    while not execution.stdout.startswith(b"end\n", at):
        end = execution.stdout.index(b"\n", at)
        index, ending, wall_us, cpu_us, status, message_size, output_size = execution.stdout[at:end].decode().split()
        message_at = end + 1
        output_at = message_at + int(message_size)
        at = output_at + int(output_size)
        test = tests[int(index)]
        message = _readable(execution.stdout[message_at:output_at])
        output = _readable(execution.stdout[output_at:at])
        if ending == "broken":
            raise MachineryError(f"{test.name} could not be started: {output.strip() or f'status {status}'}")
        outcomes[int(index)] = TestOutcome(
            name=test.name,
            status="passed" if ending == "passed" else "failed",
            message=message or _explain(ending, int(status)),
            stdout=output if ending != "passed" else "",
            wall_ms=int(wall_us) / 1000,
            cpu_ms=int(cpu_us) / 1000,
            timed_out=_TIME_OUTS.get(ending),
        )
        code = int(status) >> 8
        if ending == "ended" and int(status) & 0x7F == 0 and code not in _LOADING_FAILED:
            findings.append(Finding(kind="early_exit", detail=f"{test.name}: the process exited with code {code}"))
        elif ending == "lied":
            findings.append(Finding(kind="forged_verdict", detail=f"{test.name}: claimed success in a control run"))
        elif ending == "garbled":
            findings.append(Finding(kind="forged_verdict", detail=f"{test.name}: wrote into the verdict's own pipe"))
        if tells.prints_results(output) and not any(finding.kind == "forged_output" for finding in findings):
            detail = f"{test.name}: printed what looks like a test runner's result"
            findings.append(Finding(kind="forged_output", detail=detail, forbids=False))
    return Report(
        outcomes=tuple(
            outcomes.get(index, TestOutcome(name=test.name, status="failed", message="never ran"))
            for index, test in enumerate(tests)
        ),
        findings=tuple(findings),
        wall_ms=execution.wall_ms,
    )


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


def _readable(data: bytes) -> str:
    return data.decode(errors="replace").replace("<anon>", "sample.rs")


def _hex(text: str) -> str:
    return "x" + text.encode().hex()
