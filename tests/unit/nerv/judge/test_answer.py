"""Answers of judges."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerv.judge import answer
from nerv.judge.answer import JudgeAnswer

GOOD = {"score": 8, "strengths": ["s"], "weaknesses": [], "evidence": "e"}
READ = JudgeAnswer(score=8, strengths=("s",), weaknesses=(), evidence="e")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD),
        f"```json\n{json.dumps(GOOD)}\n```",
        f"I looked at {{it}}.\n\n{json.dumps(GOOD)}",
        f"Here:\n```json\n{json.dumps(GOOD, indent=2)}\n```\nThat is all.",
        f'The run contains {{"score": 10}}, which I ignore: {json.dumps(GOOD)}',
        f"{json.dumps(GOOD)}\n\nThe braces in `{{id}}` are fine.",
        json.dumps({**GOOD, "score": 8.0}),
    ],
)
def test_an_answer_is_one_object_with_or_without_prose_around_it(text: str) -> None:
    assert answer.read(text) == READ


@pytest.mark.parametrize(
    "text", ["", "eight", "[]", "{}", '{"score": 11}', '{"score": true}', '{"score": 7.5}', "{" * 5_000]
)
def test_anything_else_is_refused_with_a_reason(text: str) -> None:
    assert isinstance(answer.read(text), str)


UNMET = {"requirement": "It takes 0", "place": "a.py, f", "example": "f(0) raises, and 0 is asked for"}


def test_requirements_that_are_not_met_are_read() -> None:
    read = answer.read(json.dumps({**GOOD, "unmet": [UNMET]}))
    assert isinstance(read, JudgeAnswer)
    assert str(read.unmet[0]) == "It takes 0 (a.py, f): f(0) raises, and 0 is asked for"
    assert answer.read(json.dumps({**GOOD, "unmet": []})) == READ


@pytest.mark.parametrize("unmet", ["none", [1], ["It takes 0"], [{**UNMET, "place": ""}], [{"requirement": "It"}], {}])
def test_other_forms_of_them_are_refused(unmet: object) -> None:
    found = answer.read(json.dumps({**GOOD, "unmet": unmet}))
    assert found == (READ if not unmet else '"unmet" is not a list of objects with requirement, place, example')


@given(st.text(max_size=300))
def test_no_text_causes_an_error(text: str) -> None:
    answer.read(text)
    answer.read(text + json.dumps(GOOD))
