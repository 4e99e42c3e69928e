"""Each adapter is called as its trainer's source calls it; the version is in the adapter's docstring."""

from __future__ import annotations

import asyncio
import inspect
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from forgetest.errors import UserError
from forgetest.rewards import NoRewardError, Rewarder, nemo_gym, openrlhf, trl, verifiers, verl
from planned_grader import SETS, PlannedGrader


@pytest.fixture
def rewarder() -> Rewarder:
    return Rewarder(SETS, PlannedGrader())


# TRL 1.16: GRPOTrainer._calculate_rewards


def call_as_trl(function: Any, completions: list[Any], **columns: Any) -> Any:
    metrics: dict[str, float] = {}
    rewards = function(
        prompts=["p"] * len(completions),
        completions=completions,
        completion_ids=[[1]] * len(completions),
        trainer_state=SimpleNamespace(global_step=0),
        log_extra=lambda _column, _values: None,
        log_metric=lambda name, value: metrics.update({name: value}),
        **columns,
    )
    return rewards, metrics


def test_trl_gets_none_for_what_was_not_judged(rewarder: Rewarder):
    function = trl.reward_function(rewarder)
    rewards, metrics = call_as_trl(function, ["right", "wrong", "broken", "forged"], case=["add"] * 4)
    assert rewards == [1.0, 0.0, None, 0.0]
    assert metrics == {"forgetest/unjudged": 0.25}
    assert function.__name__ == "forgetest"
    assert not inspect.iscoroutinefunction(function)


@pytest.mark.parametrize(
    "completion",
    [
        [{"role": "assistant", "content": "right"}],
        [
            {"role": "assistant", "content": "wrong"},
            {"role": "tool", "content": "x"},
            {"role": "assistant", "content": "right"},
        ],
        [{"role": "assistant", "content": [{"type": "text", "text": "ri"}, {"type": "text", "text": "ght"}]}],
        [{"content": "right"}],
    ],
)
def test_trl_hands_over_messages_of_a_chat(rewarder: Rewarder, completion: list[dict[str, Any]]):
    assert call_as_trl(trl.reward_function(rewarder), [completion], case=["add"])[0] == [1.0]


def test_trl_names_the_column_that_is_missing(rewarder: Rewarder):
    with pytest.raises(UserError, match="no column 'task'"):
        call_as_trl(trl.reward_function(rewarder, column="task"), ["right"], case=["add"])


# verl 0.9: get_custom_reward_fn wraps the function; NaiveRewardManager.run_single calls it


async def _call_with_kwargs(function: Any, options: dict[str, Any], **arguments: Any) -> Any:
    return await function(**{**arguments, **options})


def call_as_verl(function: Any, answer: str) -> Any:
    wrapped = partial(_call_with_kwargs, function, {})
    assert inspect.iscoroutinefunction(wrapped)
    return asyncio.run(
        wrapped(data_source="demo", solution_str=answer, ground_truth="add", extra_info={"num_turns": None})
    )


def test_verl_gets_a_score_and_what_it_logs(rewarder: Rewarder):
    function = verl.compute_score(rewarder, unjudged="raise")
    assert call_as_verl(function, "right") == {"score": 1.0, "acc": 1.0, "verified": 1.0, "unjudged": 0.0}
    assert call_as_verl(function, "wrong") == {"score": 0.0, "acc": 0.0, "verified": 1.0, "unjudged": 0.0}
    with pytest.raises(NoRewardError):
        call_as_verl(function, "broken")


def test_verl_gets_the_number_that_was_chosen_and_the_same_keys(rewarder: Rewarder):
    scores = verl.compute_scores(rewarder, unjudged=-1.0)(
        data_sources=["demo"] * 2, solution_strs=["right", "broken"], ground_truths=["add"] * 2, extra_infos=[{}, {}]
    )
    assert [score["score"] for score in scores] == [1.0, -1.0]
    assert [score["unjudged"] for score in scores] == [0.0, 1.0]
    assert len({tuple(score) for score in scores}) == 1


# verifiers 0.4: invoke passes what the parameters name, among task, trace and runtime


def call_as_verifiers(function: Any, reply: str, case: str | None = "demo/add") -> Any:
    available = {"task": SimpleNamespace(id=case), "trace": SimpleNamespace(last_reply=reply), "runtime": object()}
    chosen = {name: available[name] for name in inspect.signature(function).parameters}
    return asyncio.run(function(**chosen))


def test_verifiers_gets_a_reward_or_an_error(rewarder: Rewarder):
    function = verifiers.reward(rewarder)
    assert call_as_verifiers(function, "right") == 1.0
    assert call_as_verifiers(function, "wrong") == 0.0
    with pytest.raises(NoRewardError):
        call_as_verifiers(function, "broken")
    with pytest.raises(UserError, match="has no id"):
        call_as_verifiers(function, "right", None)


# NeMo Gym: NeMoGymResponse.model_dump(), and the fields of BaseVerifyResponse


def response(text: str) -> dict[str, Any]:
    return {
        "id": "r",
        "output": [
            {"type": "reasoning", "summary": []},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": text, "annotations": []}],
            },
        ],
    }


def test_nemo_gym_masks_what_was_not_judged(rewarder: Rewarder):
    verify = nemo_gym.verify(rewarder)
    good = {"reward": 1.0, "mask_sample": False, "failure_reason": None}
    assert asyncio.run(verify(response("right"), "add")) == good
    bad = {"reward": 0.0, "mask_sample": True, "failure_reason": "a reason"}
    assert asyncio.run(verify(response("broken"), "add")) == bad


# OpenRLHF 0.11: SingleTurnAgentExecutor._fetch_rewards_via_func, one query at a time


def test_openrlhf_gets_tensors(rewarder: Rewarder):
    function = openrlhf.reward_func(rewarder, unjudged=-1.0, make_tensor=tuple)
    found = function(["Say:<|im_end|>right<|im_end|>\n"], ["Say:<|im_end|>"], ["add"])
    assert found == {"rewards": (1.0,), "scores": (1.0,), "extra_logs": {"unjudged": (0.0,)}}
    assert function.__name__ == "reward_func"
    assert function(["<s>Say: broken</s>"], ["Say: "], ["add"])["extra_logs"] == {"unjudged": (1.0,)}


def test_openrlhf_cannot_train_on_what_was_not_judged_unless_told(rewarder: Rewarder):
    function = openrlhf.reward_func(rewarder, unjudged="raise", make_tensor=tuple)
    with pytest.raises(NoRewardError):
        function(["Say: broken"], ["Say: "], ["add"])


def test_openrlhf_must_hand_over_the_prompt_with_the_answer(rewarder: Rewarder):
    function = openrlhf.reward_func(rewarder, unjudged="raise", make_tensor=tuple)
    with pytest.raises(UserError, match="does not contain its prompt"):
        function(["right"], ["Say: "], ["add"])
