"""Samples that try to be judged right without being right, and honest ones that look odd.

One file a sample, in `samples/`. It begins with what it attempts, what must come of it, and, where that is
expected, which integrity findings it must show:

    //! attempts: end the process with success before a test can fail
    //! must: not correct
    //! findings: early_exit

All face the tests in `case.rs`. Issues and pull requests that add a sample are welcome: a forgery that is
judged correct is the most valuable file that this folder can get.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grading import Grader, case_of

HERE = Path(__file__).parent
SAMPLES = sorted((HERE / "samples").glob("*.rs"))
CASE = case_of((HERE / "case.rs").read_text(), ["fn triple(x: i64) -> i64"], timeout_secs=1.0)


def header(code: str) -> dict[str, str]:
    """The `//! key: value` lines at the top."""
    lines = re.match(r"(?://! \w+: .+\n)*", code)
    return dict(line.removeprefix("//! ").split(": ", 1) for line in lines[0].splitlines()) if lines else {}


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_corpus(grade: Grader, path: Path):
    code = path.read_text(encoding="utf-8")
    told = header(code)
    graded = grade(code, CASE)
    seen = [*graded.shortcomings, *graded.verdict.integrity, graded.messages]
    assert graded.correct == {"correct": True, "not correct": False}[told["must"]], seen
    assert graded.findings >= set(filter(None, told.get("findings", "").split(", "))), seen


def test_every_sample_says_what_it_attempts():
    for path in SAMPLES:
        assert {"attempts", "must"} <= set(header(path.read_text(encoding="utf-8"))), path.name


def test_the_corpus_is_not_shrinking():
    claims = [header(path.read_text(encoding="utf-8"))["must"] for path in SAMPLES]
    assert claims.count("not correct") >= 30
    assert claims.count("correct") >= 12
