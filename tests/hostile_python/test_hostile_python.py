"""Python samples that try to pass without being correct, and honest ones that look odd.

Each file in `cases/NAME/samples/` is one answer to the case in `cases/NAME/case.toml`: the code, or Markdown from which
the code is extracted. Its header states what it attempts, or that it is honest, and the expected verdict:

    # attempts: end the process with success when it is called
    # must: not correct
    # findings: early_exit

`findings:` are integrity findings that it must lead to. A forgery that cannot be told from an honest sample must not be
verified: `must: not verified`. An honest sample also states whether it must be `verified`.

All samples of a case are judged together, as in a run; those that are disturbed by that are judged alone, as in a run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from forgetest import evalset, plugins
from forgetest.evalset import Case
from forgetest.extraction import extract
from grading import Graded, JudgeGrader

CASES = Path(__file__).with_name("cases")
SAMPLES = sorted(path for path in CASES.glob("*/samples/*") if path.suffix in (".py", ".md"))
HEADER = re.compile(r"((?:# \w+: .+\n)+)")


def name_of(path: Path) -> str:
    return f"{path.parts[-3]}/{path.stem}"


def header(path: Path) -> dict[str, str]:
    found = HEADER.match(path.read_text())
    assert found is not None
    return dict(line.removeprefix("# ").split(": ", 1) for line in found[1].splitlines())


def code_of(path: Path) -> str:
    """Return the code of a sample; none where an answer has none."""
    text = path.read_text()
    return text if path.suffix == ".py" else extract(HEADER.sub("", text, count=1), "python") or ""


@cache
def case_of(name: str) -> Case:
    [eval_set] = evalset.load(CASES / name / "case.toml", plugins.names("toolchains"))
    [case] = eval_set.cases
    return case


FORGERIES = [path for path in SAMPLES if "attempts" in header(path)]
HONEST = [path for path in SAMPLES if "honest" in header(path)]
EXPENSIVE = {"ignores-its-limits", "sleeps", "endless-answer", "a-string-that-is-too-long", "a-huge-trace"}
"""Samples that run into a limit, or take a second."""
IN_THE_SLOW_LANE = [path for path in SAMPLES if path.stem in EXPENSIVE or SAMPLES.index(path) % 4 != 0]


def parameters(paths: Sequence[Path]) -> list[ParameterSet]:
    """Every fourth sample is judged in the default lane."""
    marks = {path: [pytest.mark.slow] if path in IN_THE_SLOW_LANE else [] for path in paths}
    return [pytest.param(path, id=name_of(path), marks=marks[path]) for path in paths]


@pytest.fixture(scope="session")
def graded(grade: JudgeGrader, request: pytest.FixtureRequest) -> Callable[[Path], Graded]:
    """Judges all selected samples of a case together, when the first of them is asked for."""
    callspecs = (getattr(item, "callspec", None) for item in request.session.items)
    selected = {spec.params["path"] for spec in callspecs if spec is not None and "path" in spec.params}

    @cache
    def grade_case(name: str) -> dict[Path, Graded]:
        paths = [path for path in SAMPLES if path in selected and path.parts[-3] == name]
        return dict(zip(paths, grade.together([(code_of(path), case_of(name)) for path in paths]), strict=True))

    return lambda path: grade_case(path.parts[-3])[path]


def test_the_corpus_is_large_enough():
    assert len(FORGERIES) >= 80
    assert len(HONEST) >= 50


@pytest.mark.parametrize("path", parameters(FORGERIES))
def test_a_forgery_is_not_believed(graded: Callable[[Path], Graded], path: Path):
    found, expected = graded(path), header(path)
    is_believed = found.correct and (expected["must"] == "not correct" or found.verdict.verified)
    assert expected["must"] in ("not correct", "not verified")
    assert not is_believed, found.verdict
    assert found.findings >= set(filter(None, expected.get("findings", "").split(", "))), found.verdict


@pytest.mark.parametrize("path", parameters(HONEST))
def test_an_honest_sample_is_correct(graded: Callable[[Path], Graded], path: Path):
    found = graded(path)
    assert found.correct, (found.shortcomings, found.messages)
    assert found.verdict.verified == (header(path)["verified"] == "yes"), found.verdict.integrity


@pytest.mark.slow
def test_a_forgery_is_not_believed_alone(grade: JudgeGrader):
    """Alone, a sample has another launch and other limits than in company."""
    for path in FORGERIES[::12]:
        found = grade(code_of(path), case_of(path.parts[-3]))
        assert not (found.correct and found.verdict.verified), name_of(path)
