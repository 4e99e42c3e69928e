"""Provisional functions that no test needs."""

from __future__ import annotations

import pytest

from finding_runs import a_run
from nerv.findings.reviewed_run import ReviewedRun
from nerv.findings.unfinished.unheld_stubs import unheld_stubs
from nerv.inspection import Inspection
from nerv.verification.result import Verification

GO = "package a\n\nfunc Only(g Graph, names ...string) []string {\n\t%s\n\treturn Order(g)\n}\n"


def levels(text: str, unheld: tuple[str, ...] = ("Only",), final: str | None = None):
    run = ReviewedRun(a_run({}, {"a.go": text}, final=final), Inspection(), Verification(unheld=unheld))
    return [each.level for each in unheld_stubs(run)]


@pytest.mark.parametrize("sign", ["// for now, the whole order", "_ = names", "// TODO: filter"])
def test_a_provisional_function_that_no_test_needs_is_a_stub(sign):
    assert levels(GO % sign) == ["likely"]
    assert levels(GO % sign, final="Only is not finished.") == ["note"]


def test_a_function_without_a_sign_or_with_a_test_is_none():
    assert levels(GO % "// the whole order") == []
    assert levels(GO % "// for now, the whole order", unheld=()) == []
