"""Tests that compare a Rust program with the reference solution, and tests for what they find."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from forgetest import mutation
from forgetest.evalset import Case
from forgetest.mutation import text_of
from forgetest.toolchains import probing
from forgetest.toolchains.probing import DIFFERS, INSTEAD
from forgetest.toolchains.rust.audit.operators import GRAMMAR

_PROBE = """
mod forgetest_reference {{
{reference}
}}

fn forgetest_outcome<T: std::fmt::Debug>(call: fn() -> T) -> Option<String> {{
    std::panic::catch_unwind(call).ok().map(|value| format!("{{value:?}}"))
}}

fn forgetest_compare(index: usize, actual: Option<String>, expected: Option<String>) {{
    if let Some(text) = &expected {{
        if actual != expected {{
            panic!("{differs} {{index}} {{text}} {instead} {{}}", actual.as_deref().unwrap_or("a panic"));
        }}
    }}
}}

#[test]
fn probe() {{
{comparisons}
}}
"""

# fmt: off
_PLAIN_WORDS = frozenset(
    {
        "vec", "true", "false", "Some", "None", "String", "Vec", "from", "new", "to_string", "to_owned", "to_vec",
        "into", "as", "char", "bool", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
        "usize", "f32", "f64",
    }
)
# fmt: on
"""Words in arguments that only write a value down."""


def probes(case: Case, most: int, seed: int) -> list[str]:
    """Return calls of the reference's functions with plain arguments, like those of the tests, the shortest first."""
    calls = probing.calls_in(case.expectations.test_file or "", _functions(case))
    plain = [call for call in calls if _is_plain(call)]
    code = case.reference_solution or ""
    return [call for call in probing.variations(plain, GRAMMAR, most, seed, code) if _is_plain(call)]


def probe_case(case: Case, calls: Sequence[str]) -> Case:
    """Return a case whose test fails for the first call that differs from the reference solution."""
    reference = re.sub(r"(?m)^(fn|struct|enum) ", r"pub \1 ", case.reference_solution or "")
    comparisons = [
        f"    forgetest_compare({index}, "
        f"forgetest_outcome(|| {call}), forgetest_outcome(|| forgetest_reference::{call}));"
        for index, call in enumerate(calls)
    ]
    tests = _PROBE.format(reference=reference, differs=DIFFERS, instead=INSTEAD, comparisons="\n".join(comparisons))
    return replace(case, expectations=replace(case.expectations, test_file=tests))


def with_test(case: Case, call: str, expected: str, number: int) -> list[str]:
    """Return test files with a further test, in the style of the others; several forms of what is expected."""
    tests = (case.expectations.test_file or "").rstrip("\n")
    name = call.partition("(")[0]
    owned = re.sub(r'("(?:[^"\\]|\\.)*")', r"String::from(\1)", expected)
    listed = re.sub(r"(?<![\w!&])\[", "vec![", owned)
    found = []
    for value in dict.fromkeys((expected, owned, listed)):
        lines = ["#[test]", f"fn {name}_tells_mutants_apart_{number}() {{", f"    assert_eq!({call}, {value});", "}"]
        if re.search(r"(?m)^\s*mod \w+ \{", tests) and tests.endswith("}"):
            body = "\n".join(f"    {line}" for line in lines)
            found.append(f"{tests[:-1].rstrip()}\n\n{body}\n}}\n")
        else:
            found.append(f"{tests}\n\n" + "\n".join(lines) + "\n")
    return found


def _functions(case: Case) -> list[str]:
    """Return the functions at the top of the reference solution that are neither generic nor asynchronous."""
    root = mutation.parse(GRAMMAR, case.reference_solution or "")
    return [
        text_of(node.child_by_field_name("name"))
        for node in root.named_children
        if node.type == "function_item" and "async" not in text_of(node).partition("{")[0]
    ]


def _is_plain(call: str) -> bool:
    """Return whether the arguments of a call are literals, collections and references to them, without other names."""
    name, _, arguments = call.partition("(")
    without_texts = re.sub(r'"(?:[^"\\]|\\.)*"', "", arguments)
    words = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"\b\d\w*", "", without_texts)))
    return bool(name) and words <= _PLAIN_WORDS
