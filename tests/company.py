"""Samples of Rust judged together and alone, by running the steps of the toolchain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from forgetest import plugins
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.evalset import Case
from forgetest.toolchains import Prepared, PreparedSample
from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.verdict import Execution, Step, Verdict


class Table:
    """Judges samples of Rust without the engine."""

    def __init__(self, step_runner: StepRunner) -> None:
        self._step_runner = step_runner
        self._toolchain = plugins.find("toolchains", "rust")
        self._prepared: dict[str, Prepared] = {}

    def together(self, asked: Sequence[tuple[str, Case]]) -> tuple[list[Verdict | None], list[Execution]]:
        """The verdicts on codes judged together, and the executions of their steps."""
        samples = [PreparedSample(prepared=self._ready(case), case=case, code=code) for code, case in asked]
        return self._driven(lambda executions: self._toolchain.together(samples, executions))

    def alone(self, code: str, case: Case) -> Verdict:
        """The verdict on a code judged alone."""
        prepared = self._ready(case)
        verdict: Verdict = self._driven(lambda executions: self._toolchain.next(prepared, case, code, executions))[0]
        return verdict

    def case_build(self, case: Case) -> CaseBuild:
        """What is known of a case before there is a sample."""
        case_build: CaseBuild = self._ready(case).case_build  # type: ignore[attr-defined]
        return case_build

    def run(self, step: Step) -> Execution:
        """Run one step."""
        return self._step_runner.run(step)

    def _ready(self, case: Case) -> Prepared:
        if case.id not in self._prepared:
            self._prepared[case.id] = self._step_runner.prepare(self._toolchain, case)
        return self._prepared[case.id]

    def _driven(self, answer: Callable[[Sequence[Execution]], Any]) -> tuple[Any, list[Execution]]:
        executions: list[Execution] = []
        while isinstance(found := answer(executions), Step):
            executions.append(self._step_runner.run(found))
        return found, executions


def comparable(verdict: Verdict) -> Verdict:
    """The verdict without its durations, and without the hash of the object that it may share."""
    tests = tuple(replace(test, wall_ms=0.0, cpu_ms=0.0) for test in verdict.tests)
    provenance = replace(verdict.provenance, binary="")
    return replace(verdict, tests=tests, provenance=provenance, compile_ms=0.0, test_ms=0.0)
