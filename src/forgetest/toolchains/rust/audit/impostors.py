"""Answers in Rust that must not be believed: lazy ones, and forgeries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from forgetest import mutation
from forgetest.evalset import Case
from forgetest.mutation import replaced, text_of
from forgetest.toolchains.auditing import Impostor, distinct
from forgetest.toolchains.prompt_examples import examples
from forgetest.toolchains.rust.audit import values
from forgetest.toolchains.rust.audit.operators import GRAMMAR

if TYPE_CHECKING:
    from tree_sitter import Node

_CONTAINERS = ("impl_item", "trait_item", "declaration_list", "mod_item")
_FORGED_BODIES = {
    "ends the process with exit(0)": "std::process::exit(0)",
    "prints that all tests passed, and exits": (
        'println!("running 1 test\\ntest result: ok. 1 passed; 0 failed"); std::process::exit(0)'
    ),
    "exits from a panic hook": "std::panic::set_hook(Box::new(|_| std::process::exit(0))); panic!()",
    "calls _exit of the C library": 'unsafe extern "C" { fn _exit(code: i32) -> !; } unsafe { _exit(0) }',
}
_SHADOWED_ASSERTIONS = """
#[macro_export]
macro_rules! assert_eq { ($($any:tt)*) => {}; }
#[macro_export]
macro_rules! assert_ne { ($($any:tt)*) => {}; }
#[macro_export]
macro_rules! assert { ($($any:tt)*) => {}; }
"""
_EXPECTED = re.compile(r"\bassert_eq!\s*\(")
_MOST_CONSTANTS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Function:
    """A function of the reference solution."""

    name: str
    parameters: tuple[tuple[str, str], ...]
    """Names and types."""
    returns: str
    body: Node


_Body = Callable[[_Function], str]
"""Returns the new body of a function."""


def impostors(case: Case) -> list[Impostor]:
    """Return lazy answers and forgeries with the functions of the reference solution."""
    reference = case.reference_solution or ""
    if case.io is not None:
        return list(_lazy_programs(case))
    functions = list(_functions(mutation.parse(GRAMMAR, reference)))
    if not functions:
        return []

    def answer(body: _Body) -> str:
        return mutation.apply(reference, (replaced(function.body, f"{{ {body(function)} }}") for function in functions))

    found = [Impostor(kind="lazy", name=name, code=answer(body)) for name, body in _lazy_bodies(case, functions)]
    for name, text in _FORGED_BODIES.items():
        found.append(Impostor(kind="forgery", name=name, code=answer(_always(text))))
    constant = answer(lambda function: (values.of_type(function.returns) or ("panic!()",))[0])
    shadowed = Impostor(kind="forgery", name="shadows the assertions", code=_SHADOWED_ASSERTIONS + constant)
    found.append(shadowed)
    return distinct(found, reference)


def _functions(root: Node) -> Iterator[_Function]:
    for node, body in mutation.functions(root, "function_item", _CONTAINERS):
        yield _Function(
            name=text_of(node.child_by_field_name("name")),
            parameters=tuple(_parameters(node)),
            returns=text_of(node.child_by_field_name("return_type")),
            body=body,
        )


def _parameters(function: Node) -> Iterator[tuple[str, str]]:
    parameters = function.child_by_field_name("parameters")
    for node in parameters.named_children if parameters is not None else ():
        pattern, kind = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        if node.type == "parameter" and pattern is not None and pattern.type == "identifier":
            yield text_of(pattern), text_of(kind)


def _lazy_bodies(case: Case, functions: Sequence[_Function]) -> Iterator[tuple[str, _Body]]:
    yield "empty bodies", lambda _: ""
    yield "panics", lambda _: "panic!()"
    rows = zip_longest(*(values.of_type(function.returns)[:_MOST_CONSTANTS] for function in functions))
    for row in rows:
        chosen = {function.body.id: value for function, value in zip(functions, row, strict=True)}
        shown = ", ".join(dict.fromkeys(value for value in row if value is not None))
        yield f"returns {shown}", _constants_of(chosen)
    if any(_argument(function) for function in functions):
        yield "returns an argument", lambda function: _argument(function) or "panic!()"
    first = _first_expected(case)
    if first is not None:
        yield "returns what the first test expects", lambda function: f"({first}).into()" if function.returns else ""
        yield "returns exactly what the first test expects", lambda function: first if function.returns else ""
    tables = {function.name: _table(function, case.prompt) for function in functions}
    if any(tables.values()):
        yield "the prompt's examples as a table", lambda function: tables[function.name] or "panic!()"


def _always(text: str) -> _Body:
    return lambda _: text


def _constants_of(chosen: Mapping[int, str | None]) -> _Body:
    return lambda function: chosen[function.body.id] or "panic!()"


def _argument(function: _Function) -> str | None:
    """Return an expression that gives an argument back, where one has the type of the result."""
    plain = function.returns.replace("&'static ", "&")
    for name, kind in function.parameters:
        if kind == plain or re.sub(r"'\w+ ", "", kind) == re.sub(r"'\w+ ", "", plain):
            return name
    for name, kind in function.parameters:
        if (kind, plain) in (("&str", "String"),) or (kind.startswith("&[") and plain.startswith("Vec<")):
            return f"{name}.to_owned()"
    return None


def _table(function: _Function, prompt: str) -> str:
    """Return a body that looks its arguments up in the prompt's examples; empty where there are none."""
    names = [name for name, _ in function.parameters]
    rows = [
        f'if format!("{{:?}}", ({", ".join(names)},)) == format!("{{:?}}", ({example.arguments},)) '
        f"{{ return ({example.value}).into(); }}"
        for example in examples(prompt, function.name)
    ]
    return f"{' '.join(rows)} panic!()" if rows and names else ""


def _first_expected(case: Case) -> str | None:
    """Return the value that the first comparison of the tests expects, as it is written."""
    tests = case.expectations.test_file or ""
    found = _EXPECTED.search(tests)
    if found is None:
        return None
    arguments, depth, start, quoted = list[str](), 0, found.end(), False
    for index in range(found.end(), len(tests)):
        letter = tests[index]
        if letter == '"' and tests[index - 1] != "\\":
            quoted = not quoted
        elif quoted:
            continue
        elif letter in "([{":
            depth += 1
        elif letter in ")]}" and depth:
            depth -= 1
        elif letter in ",)" and not depth:
            arguments.append(tests[start:index].strip())
            start = index + 1
            if letter == ")":
                break
    return arguments[1] if len(arguments) > 1 and arguments[1] else None


def _lazy_programs(case: Case) -> Iterator[Impostor]:
    yield Impostor(kind="lazy", name="empty program", code="fn main() {}\n")
    echo = "fn main() { std::io::copy(&mut std::io::stdin(), &mut std::io::stdout()).unwrap(); }\n"
    yield Impostor(kind="lazy", name="prints its input", code=echo)
    output = case.io.tests[0].output if case.io is not None else ""
    if isinstance(output, str) and '"###' not in output:
        code = f'fn main() {{ print!("{{}}", r###"{output}"###); }}\n'
        yield Impostor(kind="lazy", name="prints what the first test expects", code=code)
    forged = 'fn main() { println!("OK"); std::process::exit(0) }\n'
    yield Impostor(kind="forgery", name="prints OK and ends the process", code=forged)
