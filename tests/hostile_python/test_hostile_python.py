"""Python samples that try to pass without being correct, and honest ones that look odd.

Each file in `cases/NAME/samples/` is one answer to the case in `cases/NAME/case.toml`. Its header states what it
attempts, or that it is honest, and the expected verdict:

    # attempts: end the process with success when it is called
    # must: not correct
    # findings: early_exit

`findings:` are integrity findings that it must lead to. An honest sample also states whether it must be `verified`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from forgetest import evalset, plugins
from forgetest.evalset import Case
from grading import JudgeGrader

CASES = Path(__file__).with_name("cases")
SAMPLES = sorted(CASES.glob("*/samples/*.py"))
HEADER = re.compile(r"((?:# \w+: .+\n)+)")


def name_of(path: Path) -> str:
    return f"{path.parts[-3]}/{path.stem}"


def header(path: Path) -> dict[str, str]:
    found = HEADER.match(path.read_text())
    assert found is not None
    return dict(line.removeprefix("# ").split(": ", 1) for line in found[1].splitlines())


@cache
def case_of(name: str) -> Case:
    [eval_set] = evalset.load(CASES / name / "case.toml", plugins.names("toolchains"))
    [case] = eval_set.cases
    return case


FORGERIES = [path for path in SAMPLES if "attempts" in header(path)]
HONEST = [path for path in SAMPLES if "honest" in header(path)]
UNTIL_A_LIMIT = {"ignores-its-limits", "sleeps", "endless-answer"}
"""Samples that run into a time limit."""


def test_the_corpus_is_large_enough():
    assert len(FORGERIES) >= 45
    assert len(HONEST) >= 20


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=name_of(path), marks=[pytest.mark.slow] if path.stem in UNTIL_A_LIMIT else [])
        for path in FORGERIES
    ],
)
def test_a_forgery_is_not_believed(grade: JudgeGrader, path: Path):
    found = grade(path.read_text(), case_of(path.parts[-3]))
    expected = header(path)
    assert expected["must"] == "not correct"
    assert not found.correct, found.verdict
    assert found.findings >= set(filter(None, expected.get("findings", "").split(", "))), found.verdict


@pytest.mark.parametrize("path", HONEST, ids=name_of)
def test_an_honest_sample_is_correct(grade: JudgeGrader, path: Path):
    found = grade(path.read_text(), case_of(path.parts[-3]))
    assert found.correct, (found.shortcomings, found.messages)
    assert found.verdict.verified == (header(path)["verified"] == "yes"), found.verdict.integrity


@pytest.mark.slow
def test_forgeries_are_not_believed_in_company_and_spoil_no_neighbour(grade: JudgeGrader):
    """Honest samples and forgeries take turns in one launch."""
    paths = [path for path in SAMPLES if path.parts[-3] == "triple" and "endless" not in path.stem][::3]
    found = grade.together([(path.read_text(), case_of("triple")) for path in paths])
    assert [each.correct for each in found] == [header(path)["must"] == "correct" for path in paths]
