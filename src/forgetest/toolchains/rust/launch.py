"""The launcher's plan and report: how tests are run, and what is believed of what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from forgetest.errors import MachineryError
from forgetest.toolchains.rust import tells
from forgetest.toolchains.rust.testfile import ExpectedTest
from forgetest.verdict import Execution, Finding, Limits, Mount, Step, TestOutcome

MEMORY_BYTES = 1 << 30
"""What one test may allocate."""

_REPORTED_BYTES = 16 << 10
"""More than the launcher reports of one test: what it says and prints is cut."""

_LOADING_FAILED = (95, 96)
"""The launcher's own exit codes for an object that cannot be loaded, or has no entry."""


def run_step(
    tests: Sequence[ExpectedTest],
    entry: str,
    object_: bytes,
    mounts: Sequence[Mount],
    timeout_s: float,
    *,
    control: bool,
) -> Step:
    """Run every test by the launcher, each in a process of its own, `timeout_s` of CPU time each."""
    count = sum(test.kind != "ignored" for test in tests) * (2 if control else 1)
    wall_s = 3 * timeout_s + 10  # a busy machine must not make a slow test; a sleeping one must end
    lines = [
        f"entry {entry}",
        f"cpu_ms {round(timeout_s * 1000)}",
        f"wall_ms {round(wall_s * 1000)}",
        f"memory {MEMORY_BYTES}",
        f"control {int(control)}",
        *(f"test {test.kind} {_hex(test.name)} {_hex(test.panic_text)}" for test in tests),
        f"object {len(object_)}",
    ]
    return Step(
        name="test",
        argv=("/rt/launcher",),
        stdin="\n".join(lines).encode() + b"\n" + object_,
        mounts=tuple(mounts),
        env={"LD_LIBRARY_PATH": "/rt:/lib", "RUST_BACKTRACE": "0"},
        limits=Limits(
            cpu_s=timeout_s * count + 60,
            wall_s=wall_s * count + 60,
            memory_bytes=MEMORY_BYTES * 5,
            output_bytes=(1 << 20) + _REPORTED_BYTES * len(tests),
        ),
        workdir=False,
        init=True,
    )


@dataclass(frozen=True, slots=True)
class Report:
    """What the launcher observed."""

    outcomes: tuple[TestOutcome, ...]
    findings: tuple[Finding, ...]


def read(execution: Execution, tests: Sequence[ExpectedTest]) -> Report:
    """Read the launcher's report. It alone writes it, so a report that is not whole is a failure of ours."""
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
            timed_out=ending in ("cpu_limit", "wall_limit"),
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
    )


def _explain(ending: str, status: int) -> str:
    match ending:
        case "passed":
            return ""
        case "cpu_limit":
            return "stopped: it used up its CPU time"
        case "wall_limit":
            return "stopped: it did not end in time"
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
