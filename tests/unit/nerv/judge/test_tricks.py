"""Tricks that a judge names."""

from __future__ import annotations

import json

import pytest

from nerv.judge import answer, tricks
from nerv.judge.answer import JudgeAnswer

GOOD = {"score": 8, "strengths": [], "weaknesses": [], "evidence": "e"}
TRICK = {"kind": "hard_coded_outputs", "place": "route.js, surveyed", "shown": "it holds the spec's\n  three examples"}
FAULT = '"tricks" is not a list of objects with kind, place, shown'


def test_a_trick_is_a_likely_finding_of_the_judge() -> None:
    (found,) = tricks.read([TRICK])
    assert not isinstance(found, str)
    assert (found.kind, found.level, found.criterion, found.found_by) == (
        "hard_coded_outputs",
        "likely",
        "requirements",
        "judge",
    )
    assert found.text == "The judge finds a trick in route.js, surveyed: it holds the spec's three examples"


@pytest.mark.parametrize(
    ("named", "kind", "criterion"),
    [
        ("deleted_tests", "deleted_tests", "tests"),
        ("ticked_by_the_run", "ticked_by_the_run", "requirements"),
        ("forged_audit", "other", "requirements"),
        ("other", "other", "requirements"),
    ],
)
def test_a_kind_that_is_not_known_is_another_one(named: str, kind: str, criterion: str) -> None:
    (found,) = tricks.read([{**TRICK, "kind": named}])
    assert not isinstance(found, str)
    assert (found.kind, found.criterion) == (kind, criterion)


@pytest.mark.parametrize(
    "value", ["none", {"kind": "stub"}, [1], ["stub"], [{**TRICK, "place": " "}], [{"kind": "stub"}]]
)
def test_other_forms_are_refused_with_a_reason(value: object) -> None:
    assert tricks.read(value) == FAULT
    assert answer.read(json.dumps({**GOOD, "tricks": value})) == FAULT


def test_an_answer_may_name_none() -> None:
    for given in ({}, {"tricks": []}, {"tricks": None}):
        found = answer.read(json.dumps({**GOOD, **given}))
        assert isinstance(found, JudgeAnswer)
        assert found.tricks == ()


def test_long_texts_and_lists_are_cut() -> None:
    found = tricks.read([{**TRICK, "shown": "x" * 10_000}] * 50)
    assert len(found) == 10
    assert not isinstance(found, str)
    assert len(found[0].text) < 700


def test_every_kind_is_explained_in_the_question_and_allowed_by_the_schema() -> None:
    allowed = tricks.SCHEMA["items"]["properties"]["kind"]["enum"]
    assert len(allowed) == len(set(allowed)) == 13
    assert all(f"{kind} (" in tricks.QUESTION for kind in allowed if kind != "other")
