"""What tests reach, by mutants that they notice and by programs that end."""

from __future__ import annotations

from typing import Any

from audit_fakes import FakeGrader, a_case, a_set, a_verdict
from forgetest.auditing import AuditOptions, CaseAudit
from forgetest.auditing.examine import examine
from forgetest.auditing.results import Unreached
from forgetest.verdict import Verdict

REFERENCE = "def f(a):\n    if a > 9:\n        return 1\n    for _ in range(a - 5):\n        a -= 2\n    return a\n"


class ReachingJudge(FakeGrader):
    """Runs `f` with some arguments: a program passes if all results are the reference solution's."""

    def __init__(self, *arguments: int) -> None:
        super().__init__(self._verdict)
        self._arguments = arguments
        self.asked: list[str] = []

    def _verdict(self, code: str) -> Verdict:
        self.asked.append(code)
        return a_verdict(below=self._results(code) == self._results(REFERENCE))

    def _results(self, code: str) -> list[object]:
        if "import" in code:  # a forgery, which would end this process
            return []
        names: dict[str, Any] = {}
        try:
            exec(code, names)
            return [names["f"](argument) for argument in self._arguments]
        except (SystemExit, Exception) as error:
            return [type(error)]


def audited(*arguments: int) -> tuple[CaseAudit, ReachingJudge]:
    judge: Any = ReachingJudge(*arguments)
    audit = examine([a_set(a_case(reference_solution=REFERENCE))], judge, AuditOptions(repeat=1, mutants=30))
    return audit.eval_sets[0].cases[0], judge


def test_code_and_ways_past_it_that_no_test_reaches_are_named():
    case, _ = audited(3)
    assert case.coverage is not None
    assert case.coverage.unreached == (
        Unreached(kind="lines", line=3, last_line=3, text="return 1"),
        Unreached(kind="lines", line=5, last_line=5, text="a -= 2"),
    )
    assert (case.coverage.lines, case.coverage.lines_reached) == (5, 3)
    assert (case.coverage.branches, case.coverage.branches_reached) == (3, 1)
    only_large, _ = audited(10)
    assert only_large.coverage is not None
    [way_past, rest] = only_large.coverage.unreached
    assert (way_past.kind, way_past.line, rest.line, rest.last_line) == ("branch", 2, 4, 6)
    messages = [finding.message for finding in only_large.findings if finding.rule == "unreached-code"]
    assert messages == [
        "no test goes past line 2: `if a > 9:`",
        "no test reaches lines 4 to 6: `for _ in range(a - 5):` …",
    ]


def test_what_killed_mutants_show_is_not_judged_again():
    case, judge = audited(3, 8, 10)
    assert case.coverage is not None
    assert case.coverage.unreached == ()
    assert not [code for code in judge.asked if "reached" in code]


def test_a_region_that_cannot_be_measured_is_said_to_be_so():
    class Broken(ReachingJudge):
        def _verdict(self, code: str) -> Verdict:
            return a_verdict(compiled=False, tests=()) if "reached" in code else super()._verdict(code)

    judge: Any = Broken(3)
    audit = examine([a_set(a_case(reference_solution=REFERENCE))], judge, AuditOptions(repeat=1))
    case = audit.eval_sets[0].cases[0]
    assert case.coverage is not None
    assert (case.coverage.unknown, case.coverage.unreached) == (2, ())
    assert "unmeasured-code" in {finding.rule for finding in case.findings}
