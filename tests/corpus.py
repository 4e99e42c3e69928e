"""The hostile corpus: its samples, their headers, and the case that all of them are judged by."""

from __future__ import annotations

import re
from pathlib import Path

from grading import Graded, case_of

_FOLDER = Path(__file__).with_name("hostile")
SAMPLES = sorted((_FOLDER / "samples").glob("*.rs"))
CASE = case_of((_FOLDER / "case.rs").read_text(), ["fn triple(x: i64) -> i64"], timeout_secs=1.0)


def header(path: Path) -> dict[str, str]:
    """The `//! key: value` lines at the top."""
    lines = re.match(r"(?://! \w+: .+\n)*", path.read_text(encoding="utf-8"))
    return dict(line.removeprefix("//! ").split(": ", 1) for line in lines[0].splitlines()) if lines else {}


def check(path: Path, found: Graded) -> None:
    """Check that the grade of a sample is the one that its header demands."""
    expected = header(path)
    seen = [*found.shortcomings, *found.verdict.integrity, found.messages]
    assert found.correct == {"correct": True, "not correct": False}[expected["must"]], seen
    assert found.findings >= set(filter(None, expected.get("findings", "").split(", "))), seen
