"""Real judging to test with: a case made in a line, and what became of a sample of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from forgetest import scoring
from forgetest.engine.judging.judge import Asked, Judge, Judgement
from forgetest.evalset import Case, Dependency, EvalSet, Expectations, Weights
from forgetest.sample import Completion, Score
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
    """What became of a sample."""

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
        """What the failed tests say."""
        return "\n".join(test.message for test in self.verdict.tests)

    @property
    def lints(self) -> list[str | None]:
        return codes(self.verdict.lints)

    @property
    def findings(self) -> set[str]:
        """The kinds of integrity findings."""
        return {finding.kind for finding in self.verdict.integrity}


class Grader:
    """Judges code as the engine does, and scores it."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def tools(self, case: Case) -> str:
        """The compiler and linter that judge a case."""
        return self._judge.prepare(EvalSet(id="tests", name="tests", cases=(case,)), case).version

    def __call__(self, code: str, case: Case) -> Graded:
        return _graded(self._judge.judge(*_asked(code, case)), case)

    def together(self, samples: Sequence[tuple[str, Case]]) -> list[Graded]:
        """The same, of samples that come together."""
        together = self._judge.judge_together([_asked(*sample) for sample in samples])
        judged = {place: judgement for finished in together for place, judgement in finished}
        return [_graded(judged[place], case) for place, (_, case) in enumerate(samples)]


def _asked(code: str, case: Case) -> Asked:
    return Asked(EvalSet(id="tests", name="tests", cases=(case,)), case, Completion(text=code, verbatim=True))


def _graded(judgement: Judgement, case: Case) -> Graded:
    assert judgement.verdict is not None, f"unjudged: {judgement.reason}"
    return Graded(
        verdict=judgement.verdict,
        score=scoring.score(judgement.verdict, case.expectations, Weights()),
        shortcomings=scoring.shortcomings(judgement.verdict, case.expectations),
    )


def codes(diagnostics: Sequence[Diagnostic]) -> list[str | None]:
    return [diagnostic.code for diagnostic in diagnostics]
