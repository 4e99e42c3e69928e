"""`reward_func` for OpenRLHF's `--reward.remote_url FILE.py`, as version 0.11 calls it.

A label names the case of its prompt. OpenRLHF knows no reward that is missing: what could not be judged stops the
training, or gets the number that was chosen, and is counted in `unjudged`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from forgetest.errors import UserError
from forgetest.rewards.rewarder import Rewarder, Unjudged

END_TOKENS = ("<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "</s>", "<eos>", "<end_of_turn>")
"""Texts of tokens that end an answer; OpenRLHF leaves them in."""

Rewards = dict[str, Any]
"""`rewards` and `scores` as tensors, `extra_logs` with a tensor for each name."""


def reward_func(
    rewarder: Rewarder,
    *,
    unjudged: Unjudged,
    end_tokens: Sequence[str] = END_TOKENS,
    make_tensor: Callable[[list[float]], Any] | None = None,
) -> Callable[[Sequence[str], Sequence[str], Sequence[str]], Rewards]:
    """Return the function that OpenRLHF looks for. `make_tensor`: by default, PyTorch's."""

    def reward(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str]) -> Rewards:
        answers = [_answer(query, prompt, end_tokens) for query, prompt in zip(queries, prompts, strict=True)]
        found = rewarder.rewards(list(zip(answers, labels, strict=True)))
        tensor = _torch_tensor if make_tensor is None else make_tensor
        values = tensor([each.number(unjudged) for each in found])
        missing = tensor([float(each.value is None) for each in found])
        return {"rewards": values, "scores": values, "extra_logs": {"unjudged": missing}}

    reward.__name__ = "reward_func"
    return reward


def _answer(query: str, prompt: str, end_tokens: Sequence[str]) -> str:
    """Return the answer in a query, which is the prompt and the answer. Code in the prompt is not the model's."""
    _, found, answer = query.partition(prompt)  # a token may stand before the prompt
    if not found:
        raise UserError("a query does not contain its prompt, so the answer in it cannot be found")
    answer = answer.rstrip()
    while ended := next((token for token in end_tokens if answer.endswith(token)), None):
        answer = answer.removesuffix(ended).rstrip()
    return answer


def _torch_tensor(values: list[float]) -> Any:
    from importlib import import_module

    return import_module("torch").tensor(values)
