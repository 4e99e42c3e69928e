"""Integrity findings and their concerns, and verified verdicts."""

from __future__ import annotations

import msgspec
import pytest

from forgetest.verdict import Concern, Controls, Finding
from specimens import a_verdict


@pytest.mark.parametrize(
    ("kind", "concern"),
    [("unsafe", "unsafe"), ("unsound", "unsound"), ("export", "foreign"), ("early_exit", "forgery")],
)
def test_files_hold_no_concern_that_the_kind_implies(kind: str, concern: Concern):
    finding = Finding(kind=kind, detail="x", concern=concern)
    assert msgspec.to_builtins(finding) == {"kind": kind, "detail": "x", "forbids": True}
    assert msgspec.convert({"kind": kind, "detail": "x", "forbids": True}, Finding) == finding
    assert finding.is_about == concern


def test_a_concern_of_another_languages_kind_survives_files():
    finding = Finding(kind="shared_process", detail="x", forbids=False, concern="unsound")
    assert msgspec.json.decode(msgspec.json.encode(finding), type=Finding) == finding
    assert finding.is_about == "unsound"


@pytest.mark.parametrize("concern", ["unsafe", "foreign", "unsound"])
def test_a_verdict_is_not_verified_where_code_could_reach_past_the_languages_promises(concern: Concern):
    assert not a_verdict(integrity=(Finding(kind="ffi", detail="x", concern=concern),)).verified
    assert a_verdict(integrity=(Finding(kind="ffi", detail="x", concern="forgery"),)).verified


def test_a_verdict_is_verified_if_every_passed_test_failed_its_controls():
    assert a_verdict(controls=Controls(asked=3, passed=0)).verified
    assert not a_verdict(controls=Controls(asked=3, passed=1)).verified
    assert not a_verdict(controls=Controls(asked=2, passed=0, without=1)).verified
    assert not a_verdict(controls=Controls(asked=9, passed=0, guessable=True)).verified


def test_a_verdict_from_before_there_were_controls_is_verified_as_it_was():
    assert a_verdict(controls=None).verified
