"""Our seams, faked in a few lines each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from forgetest.evalset import Case
from forgetest.sandboxes import Isolation
from forgetest.verdict import Execution, Step, Verdict
from specimens import a_verdict


@dataclass(frozen=True)
class Ready:
    version: str = "fake 1.0"


class FakeSandbox:
    """Does with a step what it is told to, and remembers the steps."""

    configuration = "fake"

    def __init__(self, run: Callable[[Step], Execution] | None = None) -> None:
        self.steps: list[Step] = []
        self._run = run or (lambda step: Execution(step=step.name, ended="exited", exit_code=0))

    def run(self, step: Step) -> Execution:
        self.steps.append(step)
        return self._run(step)

    def probe(self) -> Isolation:
        return Isolation(kind="fake", version="fake 1.0")

    def close(self) -> None:
        pass


class FakeToolchain:
    """Nothing to prepare; one step a sample; code that says `wrong` fails a test."""

    def prepare(self, case: Case, executions: Sequence[Execution]) -> Step | Ready:
        return Ready()

    def next(self, prepared: object, case: Case, code: str, executions: Sequence[Execution]) -> Step | Verdict:
        if not executions:
            return Step(name="judge", argv=(code,))
        return a_verdict(failed=1) if "wrong" in code else a_verdict()
