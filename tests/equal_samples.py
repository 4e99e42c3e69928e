"""200 samples of four kinds of case, which get equal verdicts however they are graded."""

from __future__ import annotations

from forgetest.grade import Grade

SET = """
[eval_set]
id = "equal"
name = "Equal"
default_timeout_secs = 10

[[cases]]
id = "rust"
name = "rust"
prompt = "-"
expectations.test_file = '''
#[test]
fn three() { assert_eq!(double(3), 6); }
#[test]
fn zero() { assert_eq!(double(0), 0); }
'''

[[cases]]
id = "python"
name = "python"
prompt = "-"
language = "python"
expectations.test_file = '''
def test_three():
    assert double(3) == 6
def test_zero():
    assert double(0) == 0
'''

[[cases]]
id = "program"
name = "program"
prompt = "-"
language = "python"
io.tests = [{ name = "three", input = "3", output = "6" }, { name = "zero", input = "0", output = "0" }]

[[cases]]
id = "call"
name = "call"
prompt = "-"
language = "python"
io = { call = "double", tests = [{ arguments = [3], returns = 6 }, { arguments = [0], returns = 0 }] }
"""
COUNTS = {"rust": 70, "python": 100, "program": 15, "call": 15}
"""Samples by case. Each program is run separately, which takes longer."""
_BODIES = ("x * 2", "x + 3", "x * x", "2 * x", "(x", "x * 2 if x else 1")
_RUST = ("x * 2", "x + 3", "x * x", "2 * x", "(x", "if x == 0 { 1 } else { x * 2 }")


def _code(case_id: str, number: int) -> str:
    body = (_RUST if case_id == "rust" else _BODIES)[number % len(_BODIES)]
    if case_id == "rust":
        return f"pub fn double(x: i64) -> i64 {{ {body} }} // {number}"
    if case_id == "program":
        return f"x = int(input())\nprint({body})  # {number}"
    return f"def double(x):\n    return {body}  # {number}"


SAMPLES = [(case_id, _code(case_id, number)) for case_id, count in COUNTS.items() for number in range(count)]

Essence = tuple[bool | None, bool, tuple[str, ...]]
"""What must be equal: correct, verified, and the status of every test."""


def essence(grade: Grade) -> Essence:
    tests = grade.verdict.tests if grade.verdict else ()
    return grade.correct, grade.verified, tuple(test.status for test in tests)
