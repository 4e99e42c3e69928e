"""The call of a sample's function with JSON values, for cases with `io.call`: the code that is compiled beside it.

The arguments become values of the types that the sample's own function declares, by `native/calls.rs`: the compiler
infers them. What a test expects is not known here.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from forgetest.evalset import Case
from forgetest.toolchains.rust.source.lexer import tokens
from forgetest.toolchains.rust.source.outline import OutlineItem, outline

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_TYPES = ("struct", "enum", "union", "type")

_CHECK = """
{missing}const _: fn() = || {{
    let _ = {path};
}};
"""
_ENTRY = """
const _: () = ();
extern crate {secret} as _;
extern crate {secret}_calls;
{missing}#[unsafe(no_mangle)]
extern "C" fn {secret}_entry() -> i32 {{
    {secret}_calls::run(|arguments| {{
        arguments.require({count})?;
        {object}::std::result::Result::Ok({secret}_calls::text({callee}({arguments})))
    }})
}}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The function that is called."""

    path: str
    """`function`, or `Type::function`."""
    object: str = ""
    """An expression that makes the object of a method; empty for a function without `self`."""
    missing: str = ""
    """The definition of a type that the sample leaves out, as solutions of LeetCode's problems do."""


def find_target(call: str, code: str) -> Target:
    """Return the function that `io.call` names, as the sample defines it. Its name may be in Rust's own style."""
    owner, _, name = call.rpartition(".")
    found = tokens(code)
    functions = [item for item in outline(found) if item.keyword == "fn" and _owner(item) == owner]
    snake = _CAPITAL.sub("_", name).lower()
    known = {item.name for item in functions}
    name = snake if name not in known and snake in known else name
    if not owner:
        return Target(path=name)
    texts = [token.text for token in found]
    defined = any(texts[at : at + 2] == [keyword, owner] for at in range(len(texts)) for keyword in _TYPES)
    method = next((item for item in functions if item.name == name), None)
    return Target(
        path=f"{owner}::{name}",
        object=_object(owner, functions, texts) if method is not None and _takes_self(method) else "",
        missing="" if defined else f"struct {owner};\n",
    )


def _owner(item: OutlineItem) -> str:
    """Return the type whose own method a function is; empty for one outside of implementations."""
    if item.parent is None:
        return ""
    return item.parent.head[1] if item.parent.keyword == "impl" and len(item.parent.head) > 1 else "?"


def _takes_self(method: OutlineItem) -> bool:
    first = " ".join(method.head).partition("(")[2].partition(",")[0].partition(")")[0]
    return "self" in first.split()


def _object(owner: str, functions: list[OutlineItem], texts: list[str]) -> str:
    if any(item.head[1:4] == ["new", "(", ")"] for item in functions):
        return f"{owner}::new()"
    has_fields = any(
        texts[at : at + 2] == ["struct", owner] and texts[at + 2 : at + 3] != [";"] for at in range(len(texts))
    )
    return f"<{owner} as ::std::default::Default>::default()" if has_fields else owner


def checked_text(case: Case, code: str) -> str:
    """Return the sample with a use of its function, so that it is not linted as one that nobody uses."""
    assert case.io is not None
    assert case.io.call is not None
    target = find_target(case.io.call, code)
    return code + _CHECK.format(missing=target.missing, path=target.path)


def callable_text(case: Case, code: str, secret: str) -> str:
    """Return the sample with the entry that calls its function."""
    assert case.io is not None
    assert case.io.call is not None
    target = find_target(case.io.call, code)
    first = case.io.tests[0].input
    count = len(json.loads(first)) if isinstance(first, str) else 0
    method = target.path.rpartition(":")[2]
    return code + _ENTRY.format(
        secret=secret,
        missing=target.missing,
        count=count,
        object=f"let mut {secret}_object = {target.object};\n        " if target.object else "",
        callee=f"{secret}_object.{method}" if target.object else target.path,
        arguments=", ".join(["arguments.take()?"] * count),
    )
