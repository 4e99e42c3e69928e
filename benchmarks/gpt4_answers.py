"""GPT-4's recorded answers to HumanEval in Rust, made to fit the cases of HumanEvalPack.

The two translations of HumanEval disagree on types: `String` and `&str`, `isize` and `i32`. A function with the case's
signature converts its arguments, calls the answer, and converts the result. Answers to tasks whose results differ in
more than that (a tuple for a list, a missing value) are left out.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from forgetest.evalset import Case, EvalSet

SIGNATURE = re.compile(r"fn\s+(\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*(?:->\s*([^{]+))?\{")
NAME = re.compile(r"HumanEval_(\d+)_")
PLAIN = re.compile(r"(?:Vec<|>|&str|&|String|isize|i32|i64|f32|f64|bool|\s)*")
CONVERSIONS = """
trait Convert<T> { fn convert(self) -> T; }
macro_rules! convert { ($($from:ty => $into:ty),*) => { $(impl Convert<$into> for $from {
    fn convert(self) -> $into { self as $into }
})* } }
convert!(i32 => isize, i64 => isize, isize => i32, isize => i64, isize => isize, f32 => f64, f32 => isize, f64 => f32,
    f64 => f64, bool => bool);
impl Convert<String> for &str { fn convert(self) -> String { self.to_string() } }
impl Convert<String> for String { fn convert(self) -> String { self } }
impl Convert<&'static str> for String { fn convert(self) -> &'static str { Box::leak(self.into_boxed_str()) } }
impl<T, U: Convert<T>> Convert<Vec<T>> for Vec<U> {
    fn convert(self) -> Vec<T> { self.into_iter().map(Convert::convert).collect() }
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A recorded answer."""

    name: str
    case_id: str
    code: str
    is_solved: bool
    """By the tests with which it was recorded."""


def read(path: Path, eval_set: EvalSet) -> list[Answer]:
    """Return the recorded answers that fit a case of the set."""
    cases = {case.id: case for case in eval_set.cases}
    answers = []
    for row in map(json.loads, path.read_text().splitlines()):
        number = NAME.match(row["name"])
        case = cases.get(f"Rust/{number[1]}") if number else None
        code = _adapted(row["solution"], row["entry_point"], case) if case is not None else None
        if case is not None and code is not None:
            answers.append(Answer(name=row["name"], case_id=case.id, code=code, is_solved=row["is_solved"]))
    return answers


def _adapted(solution: str, entry_point: str, case: Case) -> str | None:
    """Return an answer behind a function with the case's signature, or None where types differ too much."""
    wanted = list(SIGNATURE.finditer(case.prompt))
    offered = next((each for each in SIGNATURE.finditer(solution) if each[1] == entry_point), None)
    if not wanted or offered is None:
        return None
    _, parameters, result = wanted[-1].groups()
    given = re.findall(r"(\w+)\s*:", parameters)
    types = [wanted[-1][2], wanted[-1][3] or "", offered[2], offered[3] or ""]
    plain = [re.sub(r"\w+\s*:|,", "", text) for text in types]
    if not all(PLAIN.fullmatch(text) for text in plain) or _depth(types[1]) != _depth(types[3]):
        return None
    call = f"answer::{entry_point}({', '.join(f'{name}.convert()' for name in given)})"
    # a result that borrows from an argument is leaked instead, which is as good for a test
    returned = (result or "()").strip().replace("&str", "&'static str")
    front = f"fn {wanted[-1][1]}({parameters}) -> {returned} {{ {call}.convert() }}"
    public = re.sub(rf"(?<!pub )\bfn\s+{entry_point}\b", f"pub fn {entry_point}", solution, count=1)
    return f"fn main() {{}}\n{CONVERSIONS}\n{front}\n\nmod answer {{\n{public}\n}}\n"


def _depth(written: str) -> int:
    return written.count("Vec<")
