from __future__ import annotations

from dataclasses import replace

import pytest

from forgetest.engine.plan import Generation, Plan, chosen, for_models, for_recording, published
from forgetest.errors import UserError
from forgetest.evalset import EvalSet
from forgetest.evalset.generation import GenerationSettings
from specimens import a_case, an_attempt, an_eval_set

GENERATION = Generation(temperature=0.8, settings=GenerationSettings(max_tokens=100, seed=1), prompt_template_hash="h")
BASICS = an_eval_set(a_case("add", tags=["numbers"]), a_case("sort", tags=["lists", "hard"]), name="basics")
ASYNC = an_eval_set(a_case("join", tags=["tasks"]), name="async")
SMALL, LARGE = ("acme", "small"), ("acme", "large")


def planned(*eval_sets: EvalSet, **changes: object) -> Plan:
    sets = eval_sets or (BASICS,)
    wishes: dict[str, object] = {
        "eval_sets": sets,
        "whole_sets": sets,
        "models": [SMALL],
        "pass_k": (1,),
        "samples": 1,
        "generation": GENERATION,
    }
    return for_models(**{**wishes, **changes})  # type: ignore[arg-type]


def ids(eval_sets: tuple[EvalSet, ...]) -> list[str]:
    return [case.id for eval_set in eval_sets for case in eval_set.cases]


def test_without_a_choice_every_case_is_kept() -> None:
    assert chosen([BASICS, ASYNC], (), ()) == (BASICS, ASYNC)


def test_a_case_with_any_of_the_tags_is_kept_and_sets_without_one_are_not() -> None:
    assert ids(chosen([BASICS, ASYNC], ("numbers", "hard"), ())) == ["add", "sort"]
    assert ids(chosen([BASICS, ASYNC], ("tasks",), ())) == ["join"]


def test_cases_are_chosen_by_id_from_all_sets() -> None:
    assert ids(chosen([BASICS, ASYNC], (), ("join", "add"))) == ["add", "join"]


def test_tags_and_ids_must_both_fit() -> None:
    assert ids(chosen([BASICS], ("numbers",), ("add", "sort"))) == ["add"]


def test_an_unknown_case_is_an_error_with_the_nearest_one() -> None:
    with pytest.raises(UserError, match='--case srot: there is no such case; did you mean "sort"'):
        chosen([BASICS], (), ("srot",))


def test_an_unknown_tag_is_an_error_with_those_that_there_are() -> None:
    with pytest.raises(UserError, match="no case has such a tag; there are: hard, lists, numbers"):
        chosen([BASICS], ("sorting",), ())


def test_tags_that_the_chosen_cases_lack_are_told_from_tags_that_nobody_has() -> None:
    with pytest.raises(UserError, match="no case of --case add has such a tag; there are: numbers"):
        chosen([BASICS], ("hard",), ("add",))


def test_every_model_is_asked_for_every_case_so_many_times_in_the_order_of_reports() -> None:
    plan = planned(BASICS, ASYNC, models=[SMALL, LARGE], samples=3)

    assert len(plan.attempts) == 3 * 2 * 3
    assert list(plan.attempts) == sorted(plan.attempts)
    assert plan.attempts[0] == an_attempt("join", 1, eval_set="async", model="acme/large")


def test_the_same_wishes_are_the_same_run_whatever_the_order_of_models() -> None:
    assert planned().name == planned().name
    assert planned(models=[SMALL, LARGE]).name == planned(models=[LARGE, SMALL]).name


def test_more_samples_other_k_and_a_choice_of_cases_go_on_with_the_same_run() -> None:
    assert planned(samples=5, pass_k=(1, 5)).name == planned().name
    assert planned(eval_sets=chosen([BASICS], ("hard",), ())).name == planned().name


@pytest.mark.parametrize(
    "changes",
    [
        {"models": [LARGE]},
        {"generation": replace(GENERATION, temperature=0.7)},
        {"generation": replace(GENERATION, settings=replace(GENERATION.settings, seed=None))},
        {"generation": replace(GENERATION, settings=replace(GENERATION.settings, max_tokens=99))},
        {"generation": replace(GENERATION, prompt_template_hash="other")},
        {"whole_sets": [replace(BASICS, hash="other")]},
    ],
    ids=["model", "temperature", "seed", "length", "words", "set"],
)
def test_whatever_changes_the_answers_or_their_meaning_makes_another_run(changes: dict[str, object]) -> None:
    assert planned(**changes).name != planned().name


def test_the_name_of_a_run_can_be_the_name_of_a_folder() -> None:
    assert planned(an_eval_set(name="../a b/ü")).name.startswith("..-a-b---")
    assert planned(BASICS, ASYNC).name.startswith("2-sets-")


def test_a_recording_is_judged_for_the_cases_it_has_samples_of() -> None:
    attempts = [an_attempt("add", 1), an_attempt("add", 2), an_attempt("join", 1, eval_set="async")]

    plan = for_recording([BASICS, ASYNC], [BASICS, ASYNC], attempts, "digest", (1,))

    assert ids(plan.eval_sets) == ["add", "join"]
    assert plan.attempts == tuple(sorted(attempts))
    assert plan.samples == 2
    assert plan.generation is None
    assert [case.id for _, case in plan.cases()] == ["add", "join"]


def test_another_recording_is_another_run() -> None:
    first = for_recording([BASICS], [BASICS], [an_attempt("add")], "one", (1,))
    second = for_recording([BASICS], [BASICS], [an_attempt("add")], "two", (1,))

    assert first.name != second.name


def test_a_recording_without_a_sample_for_the_chosen_cases_is_an_error() -> None:
    with pytest.raises(UserError, match="no sample is for a case that is to be judged"):
        for_recording([ASYNC], [BASICS, ASYNC], [an_attempt("add")], "digest", (1,))


DATED = an_eval_set(
    *(
        replace(a_case(name), date=date)
        for name, date in (("may", "2024-05-31"), ("june", "2024-06-01"), ("any", None))
    ),
    name="dated",
)


@pytest.mark.parametrize(
    ("since", "until", "kept"),
    [
        (None, None, ["may", "june", "any"]),
        ("2024-06-01", None, ["june"]),
        (None, "2024-05-31", ["may"]),
        ("2024-05-31", "2024-06-01", ["may", "june"]),
    ],
)
def test_cases_are_chosen_by_the_day_of_their_publication(since, until, kept) -> None:
    assert ids(published([DATED], since, until)) == kept


@pytest.mark.parametrize(
    ("sets", "since", "message"),
    [
        (
            [DATED],
            "2025-01-01",
            "--since 2025-01-01: no case was published then; those with a date are of 2024-05-31 to",
        ),
        ([BASICS], "2025-01-01", "no case has a date"),
        ([DATED], "yesterday", "--since yesterday: not a day, as in 2024-05-31"),
    ],
)
def test_days_that_select_nothing_or_are_none_are_mistakes(sets, since, message) -> None:
    with pytest.raises(UserError, match=message):
        published(sets, since, None)
