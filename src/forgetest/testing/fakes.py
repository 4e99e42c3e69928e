"""Fakes of the seams, a few lines each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from forgetest.evalset import Case
from forgetest.executors import Judged, JudgeTask, Worker
from forgetest.language import Language
from forgetest.sandboxes import Isolation
from forgetest.verdict import Execution, Provenance, Step, TestOutcome, Verdict

PROVENANCE = Provenance(source="s", tests="t", dependencies="d", toolchain="fake 1.0", flags="f", binary="b")


def succeed(step: Step) -> Execution:
    """Return the execution of a step that exits with code 0."""
    return Execution(step=step.name, ended="exited", exit_code=0)


class FakeSandbox:
    """Runs steps by a function, and remembers them."""

    configuration = "fake"

    def __init__(self, run: Callable[[Step], Execution] = succeed) -> None:
        self.steps: list[Step] = []
        self.run_step = run

    def run(self, step: Step) -> Execution:
        """Remember the step, and run it."""
        self.steps.append(step)
        return self.run_step(step)

    def probe(self) -> Isolation:
        """Return that every promise is kept."""
        return Isolation(kind="fake", version="fake 1.0")

    def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class FakePrepared:
    """What preparing a case found out."""

    version: str = "fake 1.0"


class FakeToolchain:
    """Prepares nothing; runs one step per sample; code that contains `wrong` fails a test."""

    LANGUAGE = Language(name="fake")

    def prepare(self, _case: Case, _executions: Sequence[Execution]) -> Step | FakePrepared:
        """Be ready at once."""
        return FakePrepared()

    def next(self, _prepared: Any, _case: Case, code: str, executions: Sequence[Execution]) -> Step | Verdict:
        """Run one step; then judge by the code's text."""
        if not executions:
            return Step(name="judge", argv=(code,))
        outcomes = ["passed"] * 4 + ["failed"] * ("wrong" in code)
        tests = (TestOutcome(name=f"t{n}", status=status) for n, status in enumerate(outcomes))  # type: ignore[arg-type]
        return Verdict(compiled=True, tests=tuple(tests), provenance=PROVENANCE)


@dataclass(frozen=True, eq=False)
class FixedWorkerSpec:
    """Opens a worker that exists already, for executors that work in this process."""

    worker: Worker

    def open(self) -> Worker:
        """Return the worker."""
        return self.worker

    def for_this_machine(self) -> FixedWorkerSpec:
        """Return this spec."""
        return self


class FunctionWorker:
    """Judges each task by a function, one after the other."""

    def __init__(self, judge_task: Callable[[JudgeTask], Judged]) -> None:
        self._judge_task = judge_task
        self.closed = False

    def judge(self, group: Sequence[JudgeTask]) -> Iterator[Sequence[Judged]]:
        """Yield each result as it finishes."""
        for task in group:
            yield [self._judge_task(task)]

    def version(self, case: Case) -> str:
        """Return the version of no tool."""
        return "1"

    def close(self) -> None:
        """Remember that the worker is closed."""
        self.closed = True
