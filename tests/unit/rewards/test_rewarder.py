from __future__ import annotations

import asyncio
import json

import pytest

from forgetest.errors import MachineryError, UserError
from forgetest.evalset import Case, EvalSet
from forgetest.rewards import NoRewardError, Rewarder
from planned_grader import SETS, PlannedGrader

ALL = ["right", "wrong", "forged", "unproved", "broken"]


def values(rewarder: Rewarder, answers: list[str]) -> list[float | None]:
    return [reward.value for reward in rewarder.rewards([(answer, "demo/add") for answer in answers])]


def values_one_by_one(rewarder: Rewarder, answers: list[str]) -> list[float | None]:
    async def ask() -> list[float | None]:
        rewards = await asyncio.gather(*(rewarder.reward(answer, "add") for answer in answers))
        return [reward.value for reward in rewards]

    return asyncio.run(ask())


@pytest.mark.parametrize("ask", [values, values_one_by_one])
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [1.0, 0.0, 0.0, 1.0, None]),
        ({"measure": "score"}, [1.0, 0.5, 0.0, 1.0, None]),
        ({"measure": "tests", "integrity_penalty": 2.0}, [1.0, 0.0, -2.0, 1.0, None]),
        ({"verified_only": True}, [1.0, 0.0, 0.0, 0.0, None]),
        ({"measure": lambda grade: 7.0}, [7.0, 7.0, 0.0, 7.0, None]),
    ],
)
def test_a_reward_has_three_states(ask, options, expected):
    assert ask(Rewarder(SETS, PlannedGrader(), **options), ALL) == expected


@pytest.mark.parametrize("ask", [values, values_one_by_one])
@pytest.mark.parametrize("failure", [MachineryError("no sandbox"), ConnectionRefusedError("no service")])
def test_a_grader_that_breaks_yields_no_zero(ask, failure):
    assert ask(Rewarder(SETS, PlannedGrader([failure] * 2)), ["right"]) == [None]


@pytest.mark.parametrize("ask", [values, values_one_by_one])
def test_what_was_not_judged_is_graded_again(ask):
    assert ask(Rewarder(SETS, PlannedGrader([OSError("gone"), None])), ["right"]) == [1.0]
    assert ask(Rewarder(SETS, PlannedGrader(unjudged=1)), ["right"]) == [1.0]
    assert ask(Rewarder(SETS, PlannedGrader(unjudged=1), retries=0), ["right"]) == [None]


def test_only_what_was_not_judged_is_graded_again():
    grader = PlannedGrader()
    rewards = Rewarder(SETS, grader).rewards([(answer, "add") for answer in ALL])
    assert grader.calls == [ALL, ["broken"]]
    assert [reward.reason for reward in rewards] == [None, "a reason", "a reason", None, "a reason"]


def test_a_missing_reward_is_a_number_only_where_one_was_chosen():
    [reward] = Rewarder(SETS, PlannedGrader()).rewards([("broken", "add")])
    assert reward.number(-0.5) == -0.5
    with pytest.raises(NoRewardError, match=r"could not be judged, so it has no reward: a reason"):
        reward.number("raise")


def test_a_mistake_of_the_user_is_raised():
    with pytest.raises(UserError, match="wrong case"):
        values(Rewarder(SETS, PlannedGrader([UserError("wrong case")])), ["right"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "beauty"}, "there is no 'beauty'; use correct, score, tests, hidden_tests"),
        ({"integrity_penalty": -1.0}, "is not a number from 0 up"),
        ({"integrity_penalty": float("nan")}, "is not a number from 0 up"),
    ],
)
def test_a_wrong_option_is_explained(options, message):
    with pytest.raises(UserError, match=message):
        Rewarder(SETS, PlannedGrader(), **options)


def test_a_case_is_found_by_its_id_where_it_is_the_only_one():
    other = EvalSet(
        id="other", name="Other", cases=(Case(id="add", name="", prompt="p"), Case(id="sub", name="", prompt="p"))
    )
    rewarder = Rewarder([*SETS, other], PlannedGrader())
    assert rewarder.case("other/add") is other.cases[0]
    assert rewarder.case("sub") is other.cases[1]
    with pytest.raises(
        UserError, match=r"'add': no case of the eval sets, or of several; there are demo/add, other/add"
    ):
        rewarder.case("add")


def test_no_cases_are_a_mistake():
    with pytest.raises(UserError, match="no cases"):
        Rewarder([], PlannedGrader())
    with pytest.raises(UserError, match="two eval sets have the id demo"):
        Rewarder([*SETS, *SETS], PlannedGrader())


def test_rows_hold_what_a_run_would_ask_and_can_be_written_as_json():
    [row] = Rewarder(SETS, PlannedGrader()).rows()
    assert row["case"] == "demo/add"
    system, user = json.loads(json.dumps(row))["prompt"]
    assert system["role"] == "system"
    assert "expert Python programmer" in system["content"]
    assert user == {"role": "user", "content": "Add two numbers."}


def test_closing_closes_the_grader():
    grader = PlannedGrader()
    Rewarder(SETS, grader).close()
    assert grader.is_closed
