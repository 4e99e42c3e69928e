"""Judging for tests: cases in a line, a judge or a run over any sandbox and toolchain, and graded samples."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from forgetest import scoring
from forgetest.engine.judging.judge import Judge
from forgetest.engine.judging.prepared_cases import PreparedCases, installed_toolchain
from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.judging.submissions import CachedVerdicts
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.engine.run import Judging
from forgetest.engine.tool_versions import ToolVersions
from forgetest.evalset import Case, Dependency, Expectations, Weights
from forgetest.executors import Executor, Judged, JudgeTask, local
from forgetest.sample import Score
from forgetest.testing.fakes import FixedWorkerSpec
from forgetest.toolchains import Toolchain
from forgetest.verdict import Diagnostic, Verdict

TOKIO = Dependency(name="tokio", version="1", features=("full", "test-util"))
"""As in eval-sets/rust-async.toml, so that it is built once for both."""

_EXPECTED = {field.name for field in fields(Expectations)}


def case_of(test_file: str | None, functions: Sequence[str] = (), **further: Any) -> Case:
    """A case with these tests and signatures; `further` are fields of Case or of Expectations."""
    expected = {key: further.pop(key) for key in _EXPECTED & set(further)}
    expectations = Expectations(test_file=test_file, expected_functions=tuple(functions), **expected)
    case = Case(
        **{"id": "-", "name": "-", "prompt": "-", "timeout_secs": 10.0, **further, "expectations": expectations}
    )
    return replace(case, id=hashlib.sha256(repr(case).encode()).hexdigest()[:16])


TRIPLE_TESTS = """
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two() {
        assert_eq!(triple(2), 6);
    }

    #[test]
    fn of_minus_one() {
        assert_eq!(triple(-1), -3);
    }
}
"""
TRIPLE = case_of(TRIPLE_TESTS, ["fn triple(x: i64) -> i64"])
"""The common case: two tests, and a signature."""
RIGHT = "pub fn triple(x: i64) -> i64 {\n    x * 3\n}\n"


def one_test(body: str, *functions: str, **further: Any) -> Case:
    """A case with one test, `holds`."""
    return case_of(f"#[test] fn holds() {{ {body} }}", functions, **further)


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """The grade of a sample."""

    verdict: Verdict
    score: Score
    shortcomings: list[str]

    @property
    def correct(self) -> bool:
        return not self.shortcomings

    @property
    def failed(self) -> list[str]:
        """The names of failed tests."""
        return [test.name for test in self.verdict.tests if test.status == "failed"]

    @property
    def messages(self) -> str:
        """The messages of the failed tests."""
        return "\n".join(test.message for test in self.verdict.tests)

    @property
    def lints(self) -> list[str | None]:
        return codes(self.verdict.lints)

    @property
    def findings(self) -> set[str]:
        """The kinds of integrity findings."""
        return {finding.kind for finding in self.verdict.integrity}


TOOLS = ToolVersions(toolchains={"rust": "fake 1.0"}, sandbox="fake", sandbox_version="1.0")


def cases_with(step_runner: StepRunner, toolchain: Toolchain | None = None) -> PreparedCases:
    """Cases prepared by this toolchain, or else by the installed ones."""
    return PreparedCases(step_runner, installed_toolchain if toolchain is None else lambda _: toolchain)


def judge_with(
    step_runner: StepRunner,
    level: str,
    toolchain: Toolchain | None = None,
    *,
    sharing: bool = True,
    confirm_failures: bool = False,
    audit_chance: float = 0.0,
) -> Judge:
    """A judge with this toolchain, or else with the installed ones; no audits unless they are asked for."""
    return Judge(
        step_runner,
        cases_with(step_runner, toolchain),
        level,
        sharing=sharing,
        confirm_failures=confirm_failures,
        audit_chance=audit_chance,
    )


def judging_with(
    step_runner: StepRunner,
    toolchain: Toolchain,
    cache: VerdictCache | None = None,
    executor: Executor | None = None,
    tools: ToolVersions = TOOLS,
) -> Judging:
    """All that a run needs to judge, in this process."""
    cases = cases_with(step_runner, toolchain)
    verdicts = CachedVerdicts(cache, cases, "fake", sharing=True) if cache else None
    worker = FixedWorkerSpec(judge_with(step_runner, "fake", toolchain))
    return Judging(executor=executor or local.create(2, {}), worker=worker, verdicts=verdicts, cases=cases, tools=tools)


def judge_group(judge: Judge, samples: Sequence[tuple[str, Case]]) -> list[Judged]:
    """The results of samples that are judged together, in their order."""
    tasks = [JudgeTask(number=number, case=case, code=code) for number, (code, case) in enumerate(samples)]
    judged = {result.number: result for finished in judge.judge(tasks) for result in finished}
    return [judged[number] for number in range(len(samples))]


def judge_one(judge: Judge, code: str, case: Case) -> Judged:
    """The result of one sample."""
    [judged] = judge_group(judge, [(code, case)])
    return judged


class JudgeGrader:
    """Judges code as the engine does, and scores it."""

    def __init__(self, judge: Judge, cases: PreparedCases | None = None) -> None:
        self._judge = judge
        self._cases = cases

    def tools(self, case: Case) -> str:
        """The compiler and linter that judge a case."""
        assert self._cases is not None
        return self._cases.prepare(case).version

    def __call__(self, code: str, case: Case) -> Graded:
        return _graded(judge_one(self._judge, code, case), case)

    def together(self, samples: Sequence[tuple[str, Case]]) -> list[Graded]:
        """Grade samples that are judged together."""
        judged = judge_group(self._judge, samples)
        return [_graded(result, case) for result, (_, case) in zip(judged, samples, strict=True)]


def _graded(judged: Judged, case: Case) -> Graded:
    assert judged.verdict is not None, f"unjudged: {judged.reason}"
    return Graded(
        verdict=judged.verdict,
        score=scoring.score(judged.verdict, case.expectations, Weights()),
        shortcomings=scoring.shortcomings(judged.verdict, case.expectations),
    )


def codes(diagnostics: Sequence[Diagnostic]) -> list[str | None]:
    return [diagnostic.code for diagnostic in diagnostics]
