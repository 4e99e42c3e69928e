from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forgetest.engine.judging.step_runner import StepRunner
from forgetest.engine.judging.submissions import CachedVerdicts, Submission, Submissions
from forgetest.engine.judging.verdict_cache import VerdictCache
from forgetest.evalset import Case
from forgetest.executors import Judged, JudgeTask
from forgetest.testing.fakes import FakeSandbox, FakeToolchain
from forgetest.verdict import Condition
from grading import cases_with
from specimens import a_case, a_verdict

CASE = a_case()


@pytest.fixture
def cached(tmp_path: Path) -> Iterator[Callable[..., CachedVerdicts]]:
    cache = VerdictCache(tmp_path, 1 << 30)
    cases = cases_with(StepRunner(FakeSandbox(), tmp_path, {}), FakeToolchain())
    yield lambda level="fake", sharing=True: CachedVerdicts(cache, cases, level, sharing=sharing)
    cache.close()


def submit(
    submissions: Submissions[str], *codes: str, case: Case = CASE, recheck: int = 0
) -> tuple[list[str], list[JudgeTask]]:
    """The owners of known samples, and the tasks for the others. Each code is its own owner."""
    known, tasks = submissions.submit([Submission(code, case, code, recheck=recheck) for code in codes])
    return [owner for owner, _ in known], tasks


def judge(task: JudgeTask, *, lasting: bool = True) -> Judged:
    return Judged(number=task.number, verdict=a_verdict(), lasting=lasting)


def test_a_settled_verdict_is_known_from_then_on(cached: Callable[..., CachedVerdicts]) -> None:
    first: Submissions[str] = Submissions(cached())
    known, tasks = submit(first, "fn f() {}", "fn g() {}")
    assert known == []
    settled = first.settle([judge(task) for task in tasks])
    assert [owner for owner, _ in settled] == ["fn f() {}", "fn g() {}"]

    assert submit(Submissions(cached()), "fn g() {}", "fn h() {}", "fn f() {}")[0] == ["fn g() {}", "fn f() {}"]


@pytest.mark.parametrize("other", [{"level": "fake -network"}, {"sharing": False}])
def test_another_sandbox_or_way_of_judging_knows_nothing_of_it(
    cached: Callable[..., CachedVerdicts], other: dict[str, object]
) -> None:
    first: Submissions[str] = Submissions(cached())
    first.settle([judge(task) for task in submit(first, "fn f() {}")[1]])

    assert submit(Submissions(cached(**other)), "fn f() {}")[0] == []


@pytest.mark.parametrize("result", ["not lasting", "unjudged"])
def test_a_verdict_that_does_not_last_and_a_failure_are_not_cached(
    cached: Callable[..., CachedVerdicts], result: str
) -> None:
    first: Submissions[str] = Submissions(cached())
    [task] = submit(first, "fn f() {}")[1]
    first.settle([judge(task, lasting=False) if result == "not lasting" else Judged(number=task.number, reason="no")])

    assert submit(Submissions(cached()), "fn f() {}")[0] == []


def test_the_same_code_in_flight_is_judged_once_and_both_get_the_result(cached: Callable[..., CachedVerdicts]) -> None:
    submissions: Submissions[int] = Submissions(cached())
    known, tasks = submissions.submit([Submission(owner, CASE, "fn f() {}") for owner in (1, 2)])
    _, later = submissions.submit([Submission(3, CASE, "fn f() {}")])

    assert (known, later) == ([], [])
    [task] = tasks
    settled = submissions.settle([judge(task, lasting=False)])
    assert [owner for owner, _ in settled] == [1, 2, 3]
    assert len({result.verdict is None for _, result in settled}) == 1


def test_without_a_cache_every_sample_is_judged() -> None:
    submissions: Submissions[str] = Submissions(None)

    assert len(submit(submissions, "fn f() {}", "fn f() {}")[1]) == 2


def test_a_custom_check_runs_for_each_sample_and_is_never_cached(cached: Callable[..., CachedVerdicts]) -> None:
    case = a_case(custom_check="some program")
    submissions: Submissions[str] = Submissions(cached())
    first, second = submit(submissions, "fn f() {}", "fn f() {}", case=case)[1]
    assert (first.verdict, second.verdict) == (None, None)
    check = Condition(name="custom_check", holds=True)
    checked = a_verdict(conditions=(check,))
    [(_, settled)] = submissions.settle([Judged(number=first.number, verdict=checked, lasting=True)])
    assert settled.verdict == checked

    known, [third] = submit(submissions, "fn f() {}", case=case)
    assert known == []
    assert third.verdict == a_verdict()


def test_a_sample_that_is_rechecked_is_a_task_with_its_known_verdict(cached: Callable[..., CachedVerdicts]) -> None:
    submissions: Submissions[str] = Submissions(cached())
    submissions.settle([judge(task) for task in submit(submissions, "fn f() {}")[1]])

    known, [task] = submit(submissions, "fn f() {}", recheck=2)
    assert known == []
    assert (task.verdict, task.recheck) == (a_verdict(), 2)


def test_there_is_no_room_while_too_many_samples_wait_for_an_equal_one(cached: Callable[..., CachedVerdicts]) -> None:
    submissions: Submissions[str] = Submissions(cached())
    [task] = submit(submissions, "fn f() {}")[1]
    submit(submissions, *["fn f() {}"] * 4095)
    assert submissions.has_room
    submit(submissions, "fn f() {}")
    assert not submissions.has_room

    assert len(submissions.settle([judge(task)])) == 4097
    assert submissions.has_room
