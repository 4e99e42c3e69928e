"""Functions that give other values of the same kind, or end at once."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from nerv.inspection.skewed_code import skew_results

ALL = range(1, 50)
WITH_FIELDS = "from types import SimpleNamespace as S\nfrom collections import namedtuple\nP = namedtuple('P', 'a b')\n"


def results(text: str, *calls: str) -> list[object]:
    """Return what the calls give once `f` of a Python file is skewed."""
    skewed = skew_results("a.py", text, ALL, {"f"})
    assert skewed is not None
    names: dict[str, object] = {}
    exec(skewed.decode(), names)
    return [eval(call, names) for call in calls]


@pytest.mark.parametrize(
    "value",
    ["3", '"text"', "b'x'", "[1, 2]", "[]", "(1, 'a')", "{1: 2}", "{}", "{1}", "True", "1.5", "None", "P(1, 2)"],
)
def test_a_python_function_gives_another_value_of_the_same_kind(value: str) -> None:
    given, right = results(f"{WITH_FIELDS}\ndef f():\n    return {value}\n", "f()", value)
    assert given != right
    assert right is None or type(given) is type(right)


def test_objects_are_changed_in_a_copy() -> None:
    text = f"{WITH_FIELDS}\nKEPT = S(price=3, name='tea')\n\ndef f():\n    return KEPT\n"
    given, name, kept = results(text, "f().price", "f().name", "KEPT.price")
    assert (given, name, kept) == (4, "tea~", 3)


def test_what_cannot_be_changed_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="disabled"):
        results("def f():\n    return max\n", "f()")


def test_other_functions_and_errors_stay() -> None:
    text = "def g():\n    return 1\n\ndef f(x):\n    if x:\n        raise ValueError(x)\n    return g()\n"
    assert results(text, "g()", "f(0)") == [1, 2]
    with pytest.raises(ValueError, match="7"):
        results(text, "f(7)")


def test_a_function_without_a_value_does_nothing() -> None:
    text = "SEEN = []\n\ndef f(x):\n    SEEN.append(x)\n\nclass A:\n    def f(self): SEEN.append(2)\n"
    assert results(text, "f(1)", "A().f()", "SEEN") == [None, None, []]


def test_generators_and_set_up_are_left_alone() -> None:
    text = "class A:\n    def __init__(self):\n        self.a = 1\n\n\ndef f():\n    yield 1\n"
    assert skew_results("a.py", text, ALL, {"f", "__init__"}) is None


def test_only_functions_with_one_of_the_lines_are_changed() -> None:
    text = "def f():\n    return 1\n\n\ndef g():\n    return 1\n"
    assert skew_results("a.py", text, {3}, {"f", "g"}) is None
    skewed = skew_results("a.py", text, {6}, {"f", "g"})
    assert skewed is not None
    assert b"def f():\n    return 1\n" in skewed


JAVASCRIPT = """
export function text() { return "tea"; }
export const number = (x) => x * 2;
export async function later() { return [1, { a: true }]; }
export function map() { return new Map([["a", 1]]); }
export function date() { return new Date(0); }
export function nothing(list) { list.push(1); }
export class Till {
  constructor() { this.total = 3; }
  copy() { return new Till(); }
}
"""
SHOWN = """
const a = await import("./a.mjs");
const list = [];
a.nothing(list);
console.log(JSON.stringify([
  a.text(), a.number(2), await a.later(), [...a.map()], a.date().getTime(), list,
  new a.Till().copy().total, new a.Till().copy() instanceof a.Till, new a.Till().total,
]));
"""


def test_javascript_functions_give_other_values(tmp_path: Path) -> None:
    names = {"text", "number", "later", "map", "date", "nothing", "copy", "constructor"}
    skewed = skew_results("a.mjs", JAVASCRIPT, ALL, names)
    assert skewed is not None
    (tmp_path / "a.mjs").write_bytes(skewed)
    (tmp_path / "show.mjs").write_text(SHOWN)
    done = subprocess.run(
        [shutil.which("node") or "node", "show.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    expected = ["tea~", 5, [2, {"a": False}], [["a", 2]], 1000, [], 4, True, 3]
    assert json.loads(done.stdout) == expected, done.stderr


GO = """package a

type Price struct{ Cents int }

func text() string { return "tea" }

func both(n int) (int, error) { return n, nil }

func named() (n int, err error) { return 1, nil }

func list() []int { return []int{1, 2} }

func price() Price { return Price{3} }

func pointer() *Price { return &Price{3} }

func nothing(list *[]int) { *list = append(*list, 1) }

func fails() error { return nil }
"""
GO_TEST = """package a

import "testing"

func TestOther(t *testing.T) {
	n, err := both(2)
	seen := []int{}
	nothing(&seen)
	kept, _ := named()
	if text() != "tea~" || n != 3 || err != nil || len(list()) != 1 || price().Cents != 4 || pointer().Cents != 4 {
		t.Error(text(), n, err, list(), price(), pointer())
	}
	if len(seen) != 0 || kept != 1 || fails() != nil {
		t.Error(seen, kept)
	}
}
"""


def test_go_functions_give_other_values(tmp_path: Path) -> None:
    names = {"text", "both", "named", "list", "price", "pointer", "nothing", "fails"}
    skewed = skew_results("a.go", GO, ALL, names)
    assert skewed is not None
    (tmp_path / "a.go").write_bytes(skewed)
    (tmp_path / "a_test.go").write_text(GO_TEST)
    (tmp_path / "go.mod").write_text("module a\n\ngo 1.21\n")
    done = subprocess.run(
        [shutil.which("go") or "go", "test", "./..."], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


RUST = """
pub fn text() -> String { "tea".to_string() }
pub fn number(x: u8) -> u8 { if x > 3 { return 255; } x }
pub fn share() -> f64 { 0.5 }
pub fn list() -> Vec<i32> { vec![1, 2] }
pub fn perhaps(x: Option<i32>) -> Option<i32> { let y = x?; Some(y) }
pub fn fails() -> Result<String, String> { Err("no".into()) }
pub fn nothing(list: &mut Vec<i32>) { list.push(1); }
pub fn other() -> (i32, i32) { (1, 2) }
fn main() {
    let mut seen = Vec::new();
    nothing(&mut seen);
    assert_eq!((text().as_str(), number(1), number(9), share()), ("tea~", 2, 0, 1.5));
    assert_eq!((list(), perhaps(Some(1)), perhaps(None)), (vec![1], Some(2), None));
    assert_eq!((fails(), seen, other()), (Err("no".into()), vec![], (1, 2)));
}
"""


def test_rust_functions_give_other_values(tmp_path: Path) -> None:
    names = {"text", "number", "share", "list", "perhaps", "fails", "nothing", "other", "main"}
    skewed = skew_results("main.rs", RUST, ALL, names)
    assert skewed is not None
    (tmp_path / "main.rs").write_bytes(skewed)
    done = subprocess.run(
        f"{shutil.which('rustc') or 'rustc'} --edition 2021 -A warnings main.rs && ./main",
        shell=True,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def test_a_language_without_values_to_change_is_left_alone() -> None:
    assert skew_results("A.java", "class A { int f() { return 1; } }", ALL, {"f"}) is None
