"""Problems that the text of Rust tests shows: no assertion, never run, written twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.evalset import Case
from forgetest.mutation import text_of
from forgetest.toolchains.auditing import TestRemark
from forgetest.toolchains.rust.audit.operators import GRAMMAR

if TYPE_CHECKING:
    from tree_sitter import Node

_TEST = re.compile(r"#\[\s*(?:\w+::)*test\b")
_CHECKS = re.compile(
    r"\b(?:\w*assert\w*|panic|unreachable|unwrap|unwrap_err|expect|expect_err|matches)\b\s*[!(]|\?\s*;|\bcheck\w*\s*\("
)
_MACRO_CHECKS = re.compile(r"\b(?:\w*assert\w*|panic|unreachable)\s*!")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Function:
    name: str
    attributes: str
    body: str
    line: int

    @property
    def is_test(self) -> bool:
        return _TEST.search(self.attributes) is not None


def inspect_tests(case: Case) -> list[TestRemark]:
    """Return the problems that the text of the tests shows."""
    tests = case.expectations.test_file or ""
    functions = list(_functions(mutation.parse(GRAMMAR, tests)))
    return [*_never_run(functions, tests), *_without_assertion(functions), *_repeated(functions)]


def _functions(root: Node) -> Iterator[_Function]:
    for node in mutation.walk(root):
        if node.type != "function_item":
            continue
        attributes, before = [], node.prev_named_sibling
        while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
            attributes.append(text_of(before) if before.type == "attribute_item" else "")
            before = before.prev_named_sibling
        yield _Function(
            name=text_of(node.child_by_field_name("name")),
            attributes="\n".join(attributes),
            body=text_of(node.child_by_field_name("body")),
            line=int(node.start_point[0]) + 1,
        )


def _never_run(functions: list[_Function], tests: str) -> Iterator[TestRemark]:
    for function in functions:
        uses = len(re.findall(rf"\b{re.escape(function.name)}\b", tests))
        if function.is_test and re.search(r"#\[\s*ignore\b", function.attributes):
            yield _remark(function, "never_runs", "it is ignored")
        elif not function.is_test and uses == 1 and _MACRO_CHECKS.search(function.body):
            yield _remark(function, "never_runs", "it has assertions, but no #[test], and is not called")


def _without_assertion(functions: list[_Function]) -> Iterator[TestRemark]:
    helpers = {each.name for each in functions if not each.is_test and _CHECKS.search(each.body)}
    for function in functions:
        calls_helper = any(re.search(rf"\b{re.escape(name)}\s*[(:]", function.body) for name in helpers)
        if (
            function.is_test
            and "should_panic" not in function.attributes
            and not _CHECKS.search(function.body)
            and not calls_helper
        ):
            yield _remark(function, "no_assertion", "no assertion: only a crash fails it")


def _repeated(functions: list[_Function]) -> Iterator[TestRemark]:
    seen: dict[tuple[str, str], str] = {}
    for function in functions:
        if not function.is_test:
            continue
        content = (" ".join(re.sub(r"//[^\n]*", "", function.body).split()), function.attributes)
        first = seen.setdefault(content, function.name)
        if first != function.name:
            yield _remark(function, "duplicate", f"the same as {first}")


def _remark(function: _Function, problem: str, detail: str) -> TestRemark:
    return TestRemark(test=function.name, problem=problem, detail=detail, line=function.line)  # type: ignore[arg-type]
