"""Mutants that are tried with other tests than those of their case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from audit_fakes import REFERENCE, FakeGrader, a_case, a_mutant, a_verdict
from forgetest.auditing.journal import Journal
from forgetest.auditing.trials import Trial, TrialResult, run_trials
from forgetest.evalset import Case
from forgetest.mutation import Mutation
from forgetest.toolchains.auditing import Screened, ScreenedMutants
from forgetest.verdict import Verdict


class ScreeningGrader(FakeGrader):
    """Screens by a table of what is certain, and counts what it was asked."""

    def __init__(self, judge: Any, known: dict[str, Screened]) -> None:
        super().__init__(judge)
        self.known, self.screenings, self.limits = known, 0, set[float]()

    def screen(self, asked: Sequence[tuple[Case, Sequence[Mutation]]]) -> Iterator[tuple[int, ScreenedMutants]]:
        for index, (case, mutants) in enumerate(asked):
            self.screenings += 1
            self.limits.add(case.timeout_secs)
            yield index, tuple(self.known.get(mutant.code) for mutant in mutants)


def judge(code: str) -> Verdict | None:
    if code == "unjudged":
        return None
    return a_verdict(compiled=False) if code == "invalid" else a_verdict(below=code in (REFERENCE, "same"))


def tried(
    grader: ScreeningGrader, codes: Sequence[str], journal: Journal | None = None, *, with_reference: bool = False
) -> TrialResult:
    fake: Any = grader
    mutants = [a_mutant(code) for code in codes]
    trial = Trial(case=a_case(), mutants=mutants, screens_with_reference=with_reference)
    [result] = run_trials([trial], fake, journal or Journal(), fake.grade_many)
    return result


def test_what_screening_leaves_in_doubt_is_judged():
    known = {
        "killed": Screened(status="killed", killed_by=("test_below",), message="1 is not 2"),
        "survived": Screened(status="survived"),
    }
    result = tried(ScreeningGrader(judge, known), ["killed", "survived", "same", "other", "invalid", "unjudged"])
    assert result == TrialResult(reference_passes=True, failures=("1 is not 2", None, None, "", None, None))


def test_nothing_counts_where_the_reference_solution_fails():
    grader = ScreeningGrader(lambda _: a_verdict(below=False), {"killed": Screened(status="killed", message="no")})
    assert tried(grader, ["killed"]) == TrialResult(reference_passes=False, failures=(None,))
    assert grader.screenings == 0


def test_mutants_get_a_time_limit_by_the_reference_solution():
    grader = ScreeningGrader(judge, {})
    tried(grader, ["other"])
    assert grader.limits == {0.1}


def test_a_trial_is_not_screened_again(tmp_path: Path):
    grader = ScreeningGrader(judge, {"killed": Screened(status="killed", message="no")})
    results = [tried(grader, ["killed"], Journal(tmp_path / "journal.jsonl")) for _ in range(2)]
    assert results[0] == results[1]
    assert grader.screenings == 1


def test_a_reference_solution_that_screening_shows_to_pass_is_not_judged():
    asked: list[str] = []

    def judge_and_count(code: str) -> Verdict | None:
        asked.append(code)
        return judge(code)

    known = {"killed": Screened(status="killed", message="no"), "survived": Screened(status="survived")}
    grader = ScreeningGrader(judge_and_count, known)
    result = tried(grader, ["killed", "other", "survived"], with_reference=True)
    assert result == TrialResult(reference_passes=True, failures=("no", "", None))
    assert asked == ["other"]


def test_a_reference_solution_is_judged_where_screening_says_nothing_about_it():
    grader = ScreeningGrader(judge, {"invalid": Screened(status="invalid")})
    assert tried(grader, ["invalid", "other"], with_reference=True).failures == (None, "")
    failing = ScreeningGrader(lambda _: a_verdict(below=False), {})
    assert not tried(failing, ["other"], with_reference=True).reference_passes
