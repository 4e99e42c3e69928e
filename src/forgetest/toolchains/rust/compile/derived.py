"""Signatures that a case does not state, derived from its reference solution.

They are what the tests use of the reference: functions, methods, operators, constructors and fields. Where the prompt
leaves freedom, a right answer may differ from the reference, so a derived signature that a sample does not have is only
noted; but if the sample has it, its tests see exactly these types. See docs/decisions/0020.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from forgetest.errors import UserError
from forgetest.evalset import Case
from forgetest.toolchains.rust.compile import build, expected_items, signatures
from forgetest.toolchains.rust.compile.case_build import BuildOptions, CaseBuild
from forgetest.toolchains.rust.compile.expected_items import node_text
from forgetest.toolchains.rust.compile.glue import FIRST_SIGNATURE_LINE
from forgetest.toolchains.rust.compile.signatures import ExpectedItem
from forgetest.toolchains.rust.compile.trusted_paths import SAMPLE_ROOT
from forgetest.verdict import Execution, Step

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_ITEMS = 40
_MOST_CHECKS = 3
"""Of the reference solution, each without the signatures that it does not meet itself."""
_TRAITS = {
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Rem", "Neg", "Not", "Index"), "std::ops"),
    "FromStr": "std::str",
}
"""Traits of std whose methods tests call by operators, or by `parse`."""
_PARAMETER = re.compile(r"'[a-z]+|[A-Z][0-9]?")


def with_derived(case_build: CaseBuild, case: Case, crates: Collection[str]) -> Generator[Step, Execution, CaseBuild]:
    """Return the case with the signatures of its reference solution that the reference itself meets."""
    if not case_build.tests or not with_all_derived(case_build, case, crates).derived:
        return case_build
    return (yield from checked_by_reference(case_build, case, crates)) or case_build


def with_all_derived(case_build: CaseBuild, case: Case, crates: Collection[str]) -> CaseBuild:
    """Return the case with all signatures of its reference solution."""
    reference, tests = case.reference_solution, case.expectations.test_file
    if reference is None or tests is None:
        return case_build
    return replace(case_build, derived=tuple(items(reference, tests, case_build, crates)))


def checked_by_reference(
    case_build: CaseBuild, case: Case, crates: Collection[str]
) -> Generator[Step, Execution, CaseBuild | None]:
    """Return the case with the signatures that its reference solution meets; None if it does not compile with them."""
    found = list(with_all_derived(case_build, case, crates).derived)
    first_line = FIRST_SIGNATURE_LINE + len(case_build.checked_items)
    for _ in range(_MOST_CHECKS):
        trial = replace(case_build, derived=tuple(found))
        result = build.read(case.reference_solution or "", (yield check_step(trial, case)))
        if not result.errors and not result.failure:
            return trial
        unmet = {remark.line - first_line for remark in result.errors if remark.place == "signatures"}
        kept = [item for index, item in enumerate(found) if index not in unmet]
        if len(kept) == len(found):
            break
        found = kept
    return None


def check_step(case_build: CaseBuild, case: Case) -> Step:
    """Return the compiler call that checks the reference solution with the tests and signatures of its case."""
    assert case.reference_solution is not None
    return build.step(case, case.reference_solution, case_build, CHECK, name="check of the reference")


CHECK = BuildOptions(linked=False, plain_rustc=True)
"""No code is generated, and nobody reads what clippy would say of the reference solution."""


def items(reference: str, tests: str, case_build: CaseBuild, crates: Collection[str]) -> list[ExpectedItem]:
    """Return the items of a reference solution that the tests use and that the case does not state."""
    names = case_build.names
    used = set(re.findall(r"\w+", tests))
    covered = {_path(item.entry) for item in case_build.checked_signatures}
    found = list[ExpectedItem]()
    for derived in _derived(reference, set(names), used):
        if derived.path in covered or len(found) == _MOST_ITEMS:
            continue
        if derived.check is not None:
            found.append(
                ExpectedItem(entry=derived.entry, name=derived.path, keyword=None, signature_check=derived.check)
            )
            continue
        try:
            found.append(signatures.function(derived.entry, crates, "", names if derived.is_owned else ()))
        except UserError:
            continue  # not every signature of Rust can be stated as an entry
    return [item for item in found if item.signature_check]


@dataclass(frozen=True, slots=True)
class _Derived:
    path: str
    entry: str
    check: str | None = None
    is_owned: bool = False
    """A constructor, which has the name of a type."""


def _path(entry: str) -> str:
    """Return `Cache::get` of `fn Cache<K, V>::get(&mut self)`."""
    if method := re.search(r"\bfn\s*<.*?>\s*(::\s*\w+)", entry):
        return method[1]
    path = re.search(r"\bfn\s+((?:\w+(?:<[\w, ']*>)?::)*\w+)", entry)
    return re.sub(r"<.*?>", "", path[1]) if path else ""


def _derived(reference: str, names: set[str], used: set[str]) -> Iterator[_Derived]:
    for node in expected_items.syntax_tree(reference).children:
        name = _field(node, "name")
        if node.type == "function_item" and name in names:
            if entry := _signature(node, {}):
                yield _Derived(name, entry)
        elif node.type == "struct_item" and name in names and node.child_by_field_name("type_parameters") is None:
            yield from _parts_of_struct(node, name, used)
        elif node.type == "enum_item" and name in names and node.child_by_field_name("type_parameters") is None:
            yield from _variants(node, name, used)
        elif node.type == "impl_item":
            yield from _methods(node, names, used)


def _methods(node: Node, names: set[str], used: set[str]) -> Iterator[_Derived]:
    """Yield the public methods of an implementation, or those of a trait that operators call."""
    owner, trait = _field(node, "type"), _field(node, "trait")
    bare = owner.partition("<")[0].strip()
    bounds = _bounds(node)
    if bare not in names or bounds is None or (trait and (bounds or trait.partition("<")[0] not in _TRAITS)):
        return
    body = node.child_by_field_name("body")
    inside = body.children if body is not None else []
    aliases = {f"Self::{_field(each, 'name')}": _field(each, "type") for each in inside if each.type == "type_item"}
    for method in inside:
        name = _field(method, "name")
        is_public = any(child.type == "visibility_modifier" for child in method.children)
        if method.type != "function_item" or not (trait or (is_public and name in used)):
            continue
        entry = _signature(method, {**aliases, "Self": owner}, bounds)
        if entry and trait:
            qualified = f"<{owner} as {_TRAITS[trait.partition('<')[0]]}::{trait}>::{name}"
            yield _Derived(f"::{name}", entry.replace(f"fn {name}", f"fn {qualified}", 1))
        elif entry:
            yield _Derived(f"{bare}::{name}", entry.replace(f"fn {name}", f"fn {owner}::{name}", 1))


def _signature(node: Node, words: dict[str, str], bounds: str = "") -> str | None:
    """Return a function's text up to its body, with these words replaced; None if it cannot be an entry."""
    body = node.child_by_field_name("body")
    text, end = node_text(node), (body.start_byte - node.start_byte) if body is not None else 0
    text = text.encode()[:end].decode(errors="replace")
    text = re.sub(r"\s+", " ", re.sub(r"^pub(\([^)]*\))?\s+", "", text)).strip().rstrip(",")
    if body is None or "//" in text or "/*" in text or re.match(r"(const )?(unsafe|extern)\b", text):
        return None
    for word, replacement in words.items():
        text = re.sub(rf"\b{word}\b(?!::)", replacement.replace("\\", r"\\"), text)
    if "Self" in text:
        return None
    return f"{text}{', ' if ' where ' in text else ' where '}{bounds}" if bounds else text


def _bounds(node: Node) -> str | None:
    """Return the bounds of an implementation's parameters as a where clause; None if they cannot be stated."""
    text = _field(node, "type_parameters")
    if any(child.type == "where_clause" for child in node.children):
        return None
    parts = [part.strip() for part in text[1:-1].split(",")] if text else []
    if not all(_PARAMETER.fullmatch(part.partition(":")[0].strip()) for part in parts) or "(" in text:
        return None
    return ", ".join(part for part in parts if ":" in part)


def _parts_of_struct(node: Node, name: str, used: set[str]) -> Iterator[_Derived]:
    """Yield the constructor of a tuple, or the fields that the tests name."""
    body = node.child_by_field_name("body")
    if body is None:
        return
    if body.type == "ordered_field_declaration_list":
        yield _Derived(name, f"fn {name}({', '.join(_field_types(body))}) -> {name}", is_owned=True)
        return
    for each in body.children:
        field, type_ = _field(each, "name"), _field(each, "type")
        is_public = any(child.type == "visibility_modifier" for child in each.children)
        if is_public and field in used and not re.search(r"['<&\[(]|\bSelf\b", type_):
            check = f"fn is<T>(_: &T, _: fn(T)) {{}} is(&value.{field}, |_: {type_}| ());"
            pin = f"const _: () = {{ fn pin(value: &{SAMPLE_ROOT}::{name}) {{ {check} }} }};"
            yield _Derived(f"{name}.{field}", f"{name} {{ {field}: {type_} }}", check=pin)


def _variants(node: Node, name: str, used: set[str]) -> Iterator[_Derived]:
    """Yield the constructors of an enum that the tests name."""
    body = node.child_by_field_name("body")
    for variant in body.children if body is not None else []:
        inside = variant.child_by_field_name("body") if variant.type == "enum_variant" else None
        if inside is not None and inside.type == "ordered_field_declaration_list" and _field(variant, "name") in used:
            path = f"{name}::{_field(variant, 'name')}"
            yield _Derived(path, f"fn {path}({', '.join(_field_types(inside))}) -> {name}")


def _field_types(node: Node) -> list[str]:
    left_out = ("(", ")", ",", "visibility_modifier", "attribute_item", "line_comment", "block_comment")
    return [node_text(child) for child in node.children if child.type not in left_out]


def _field(node: Node, field: str) -> str:
    child = node.child_by_field_name(field)
    return node_text(child) if child is not None else ""
