"""All tests of a case in one process: a function of the object that tries each of them and tells which ones failed.

Only for programs that nobody wrote to deceive. A test that ends the process or does not end hides what the others show.
"""

from __future__ import annotations

from collections.abc import Sequence

from forgetest.toolchains.rust.compile import glue
from forgetest.toolchains.rust.compile.declared_tests import ExpectedTest
from forgetest.toolchains.rust.run.outcomes import RunResult

NAME = "one_or_all"
_TOLD = "failed tests:"


def function(tests: Sequence[ExpectedTest], secret: str) -> str:
    """Return a function that runs the test of an index, or all tests for the index after the last one."""
    std = f"::{secret}::std"
    entry = f"super::{secret}_tests::{glue.entry_symbol(secret)}"
    kinds = ", ".join(_kind(test, std) for test in tests)
    return (
        f"fn {NAME}(index: usize) -> bool {{\n"
        f"if index < {len(tests)} {{ return {entry}(index); }}\n"
        f"::{secret}::let_assertions_panic();\n"
        # of each test that is not ignored: the text of the panic that it has to end with, if it has to
        f"let kinds: [{std}::option::Option<{std}::option::Option<&str>>; {len(tests)}] = [{kinds}];\n"
        f"let mut failed = {std}::string::String::new();\n"
        f"for (index, kind) in kinds.iter().enumerate() {{\n"
        f"let {std}::option::Option::Some(panics) = kind else {{ continue }};\n"
        f"let passed = match ({std}::panic::catch_unwind(|| {entry}(index)), panics) {{\n"
        f"({std}::result::Result::Ok(returned), {std}::option::Option::None) => returned,\n"
        f"({std}::result::Result::Err(payload), {std}::option::Option::Some(text)) => payload.downcast_ref::<&str>()"
        f".map(|found| found.contains(*text)).or_else(|| payload.downcast_ref::<{std}::string::String>()"
        f".map(|found| found.contains(*text))).unwrap_or(text.is_empty()),\n"
        f"_ => false }};\n"
        f'if !passed {{ failed += &{std}::format!(" {{}}", index); }}\n'
        f"}}\n"
        f'if failed.is_empty() {{ true }} else {{ {std}::panic!("{_TOLD}{{}}", failed) }}\n'
        f"}}\n"
    )


def failed_tests(result: RunResult) -> Sequence[int] | None:
    """Return the indices of the tests that failed, or None where the run did not come to its end."""
    if result.ending == "returned":
        return []
    if result.ending != "panicked" or not result.panic_text.startswith(_TOLD):
        return None
    return [int(index) for index in result.panic_text.removeprefix(_TOLD).split()]


def _kind(test: ExpectedTest, std: str) -> str:
    none, some = f"{std}::option::Option::None", f"{std}::option::Option::Some"
    if test.kind == "ignored":
        return none
    return f"{some}({some}({_rust_text(test.panic_text)}))" if test.kind == "should_panic" else f"{some}({none})"


def _rust_text(text: str) -> str:
    return "".join(['"', *(f"\\u{{{ord(char):x}}}" for char in text), '"'])
