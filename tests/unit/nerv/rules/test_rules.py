"""The rules on simple runs: scored, without evidence, not applicable, not recorded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nerv import rules
from nerv.changes import Diff, FileChange, Hunk
from nerv.evidence import Activity, Changes, Configuration, Evidence, FileEdits, Review, Subject, TestSuiteRun
from nerv.location import Location, Moment
from nerv.scorecard import Criterion
from nerv.spec import markdown
from nerv_runs import RECORDED, Run, TaskPlan, evidence
from notes_service import BAD_CODE, CODE, README, TESTS, TITLES

GOOD_RUN = Run(
    tasks=tuple(TaskPlan(title=title, cycle=1 + index // 4, minutes=3) for index, title in enumerate(TITLES[:8])),
    ticked=(4, 8),
    boxes=frozenset(range(8)),
    audited=frozenset(range(8)),
    code=(*CODE.items(), *TESTS.items(), ("README.md", README)),
    test_runs=((6, 0, False),),
    permissions=("approved",),
)


def criteria(found: Evidence) -> dict[str, Criterion]:
    return {criterion.key: criterion for category in rules.score(found) for criterion in category.criteria}


def of(run: Run) -> dict[str, Criterion]:
    return criteria(evidence(run))


def test_a_good_run_scores_at_least_eight_throughout() -> None:
    assert {key: found.score for key, found in of(GOOD_RUN).items() if (found.score or 0) < 8} == {}


EMPTY = Run(tasks=(), compactions_counted=False, sessions_known=False)


def test_without_any_evidence_every_applicable_criterion_scores_one() -> None:
    found = of(EMPTY)
    assert {key: criterion.score for key, criterion in found.items() if criterion.score != 1} == {}
    assert found["review"].status == "no_evidence"
    assert found["tests"].reason.startswith("No evidence: ")


@pytest.mark.parametrize(
    ("subjects", "keys"),
    [
        (("worktrees",), {"isolation"}),
        (("reviews",), {"review"}),
        (("merges",), {"review", "merges", "delivery"}),
        (("permissions",), {"permissions"}),
        (("tokens",), {"tokens"}),
        (("cost",), {"cost"}),
        (("compactions",), {"compaction"}),
        (("time",), {"speed"}),
        (("tasks",), {"scoping", "alignment", "isolation"}),
        (("spec_completion",), {"progression", "delivery"}),
        (("cycles",), {"delivery"}),
        (("diff", "repository"), {"organisation", "repetition", "ux_and_docs"}),
    ],
)
def test_criteria_that_a_source_cannot_know_are_left_out(subjects: tuple[Subject, ...], keys: set[str]) -> None:
    found = criteria(replace(evidence(GOOD_RUN), recorded=RECORDED - set(subjects)))
    assert {key for key, criterion in found.items() if criterion.status == "not_recorded"} == keys
    assert all(found[key].score is None and found[key].reason.startswith("Not recorded: ") for key in keys)


def test_documentation_does_not_apply_if_the_spec_has_no_interface_for_people() -> None:
    spec = markdown.parse("# Sorting\n- [ ] Numbers are sorted\n- [ ] Equal numbers keep their order\n", "spec.md")
    for recorded in (GOOD_RUN, EMPTY):  # whatever the run contains
        found = criteria(replace(evidence(recorded), spec=spec))
        assert found["ux_and_docs"].status == "not_applicable"


def test_permissions_do_not_apply_if_the_configuration_has_none() -> None:
    found = criteria(replace(evidence(GOOD_RUN), configuration=Configuration(has_permission_system=False)))
    assert found["permissions"].status == "not_applicable"
    assert of(GOOD_RUN.changed(permissions=()))["permissions"].status == "no_evidence"


def test_a_category_is_the_mean_of_its_scored_criteria() -> None:
    experience = rules.score(replace(evidence(GOOD_RUN), recorded=RECORDED - {"worktrees", "reviews"}))[3]
    assert experience.mean == 10
    assert experience.score == 10


def test_an_approval_of_another_task_does_not_count() -> None:
    found = evidence(GOOD_RUN.changed(tasks=(replace(GOOD_RUN.tasks[0], reviewed="none"), *GOOD_RUN.tasks[1:])))
    early = Moment(location=Location(file="event-log.jsonl", line=0), ms=0)
    for_another = replace(
        found,
        workflow=replace(
            found.workflow, reviews=(*found.workflow.reviews, Review(task_id="t7", moment=early, decision="approved"))
        ),
    )
    assert criteria(for_another)["review"].score == criteria(found)["review"].score == 6


def test_an_automatic_approval_does_not_count() -> None:
    found = evidence(GOOD_RUN)
    automatic = replace(
        found,
        workflow=replace(
            found.workflow, reviews=tuple(replace(review, automatic=True) for review in found.workflow.reviews)
        ),
    )
    assert criteria(automatic)["review"].score == 1


def test_work_rejected_after_its_approval_is_not_approved() -> None:
    found = evidence(GOOD_RUN)
    first = next(review for review in found.workflow.reviews if review.task_id == "t0")
    moment = Moment(
        location=Location(file="event-log.jsonl", line=first.moment.location.line), ms=(first.moment.ms or 0) + 1
    )
    again = replace(
        found,
        workflow=replace(
            found.workflow, reviews=(*found.workflow.reviews, Review(task_id="t0", moment=moment, decision="rejected"))
        ),
    )
    assert "merged without a prior approval: t0" in criteria(again)["review"].observations[0].text


def test_running_fewer_tests_does_not_undo_a_failure() -> None:
    failing = ((10, 4, False), (2, 0, False))
    assert "failed, and no later one repaired it" in of(GOOD_RUN.changed(test_runs=failing))["tests"].reason
    assert "passed" in of(GOOD_RUN.changed(test_runs=(*failing, (14, 0, False))))["tests"].reason


def test_bad_code_is_named_with_its_lines() -> None:
    found = of(GOOD_RUN.changed(code=(*GOOD_RUN.code, *BAD_CODE.items())))
    organisation = {str(observation.location): observation.text for observation in found["organisation"].observations}
    assert "price_of has 93 lines" in organisation["notes/long.py:1"]
    repetition = [str(observation.location) for observation in found["repetition"].observations]
    assert "notes/left.py:1" in repetition
    assert found["organisation"].score == 7
    assert found["repetition"].score == 8


def test_a_diff_without_a_repository_is_inspected() -> None:
    lines = tuple(TESTS["tests/test_search.py"].splitlines())
    location = Location(file="git-diff.patch", line=1)
    hunk = Hunk(location=location, new_start=1, lines=lines, added=frozenset(range(len(lines))))
    change = FileChange(path="tests/test_search.py", kind="added", location=location, added=len(lines), hunks=(hunk,))
    found = criteria(replace(evidence(GOOD_RUN), changes=Changes(diff=Diff(files=(change,)))))
    assert "2 tests that can fail, covering 2 of 8 items" in found["tests"].reason
    assert found["organisation"].status == "no_evidence"


def test_a_sum_with_missing_parts_is_not_a_total() -> None:
    """If the usage of one finished task is missing, the sum of the others is not the total of the run."""
    found = of(GOOD_RUN.changed(tasks=(replace(GOOD_RUN.tasks[0], tokens=None, cost=None), *GOOD_RUN.tasks[1:])))
    assert found["tokens"].status == found["cost"].status == "no_evidence"


def test_no_compaction_in_the_log_scores_less_than_a_recorded_count_of_zero() -> None:
    assert of(GOOD_RUN)["compaction"].score == 10
    assert of(GOOD_RUN.changed(compactions_counted=False))["compaction"].score == 8


def test_a_ticked_endpoint_that_the_code_does_not_define_is_contradicted() -> None:
    found = of(
        GOOD_RUN.changed(
            code=tuple(one for one in GOOD_RUN.code if one[0] != "notes/store.py"), audited=frozenset(), test_runs=()
        )
    )
    assert "2 claimed against the evidence" in found["requirements"].reason
    assert "the code does not define POST /notes" in found["requirements"].observations[0].text


def passing(line: int, passed: int) -> TestSuiteRun:
    moment = Moment(location=Location(file="s.jsonl", line=line))
    return TestSuiteRun(command="pytest", succeeded=True, passed=passed, failed=0, strength="recorded", moment=moment)


def edited(path: str, line: int) -> FileEdits:
    moment = Moment(location=Location(file="s.jsonl", line=line))
    return FileEdits(path=path, count=1, first=moment, moments=(moment,))


@pytest.mark.parametrize(("last_edit", "shown"), [(1, 63), (15, 6), (25, 1), (35, 1)])
def test_the_run_of_most_tests_since_the_last_edit_is_shown(last_edit: int, shown: int) -> None:
    runs = (passing(10, 63), passing(20, 6), passing(30, 1))
    found = criteria(
        replace(evidence(GOOD_RUN), activity=Activity(test_runs=runs, edits=(edited("/p/a.py", last_edit),)))
    )
    assert found["tests"].observations[0].text.startswith(f"passed ({shown} passed, 0 failed)")


def test_the_reason_says_that_no_test_can_fail() -> None:
    found = of(replace(GOOD_RUN, code=tuple(CODE.items())))["tests"]
    assert found.reason == "The code contains no test that can fail; the last recorded run passed."


def test_issues_in_unedited_files_are_marked_but_count_the_same() -> None:
    bad, good = "notes/untyped.py", "notes/store.py"
    code = ((bad, BAD_CODE[bad]), (good, CODE[good]))
    run = replace(evidence(replace(GOOD_RUN, code=code)), kind="claude-code")
    mine = criteria(replace(run, activity=replace(run.activity, edits=(edited(f"/home/me/{bad}", 1),))))["organisation"]
    others = criteria(replace(run, activity=replace(run.activity, edits=(edited(f"/home/me/{good}", 1),))))[
        "organisation"
    ]
    assert "did not edit" not in mine.reason
    assert "in files that the session did not edit" in others.reason
    assert mine.score == others.score
    assert any(observation.text.endswith(", not edited in this session") for observation in others.observations)


def test_without_issues_there_is_no_advice() -> None:
    assert of(replace(GOOD_RUN, boxes=frozenset(), ticked=(), audited=frozenset()))["organisation"].advice == ""
