"""Checks that a sample defines the items its case expects.

The compiler answers, at the path where the tests use an item: a signature check that compiled is the definition, be it
made by a macro, imported from a module or written as a raw identifier; and so is a type that an alias can name. The
syntax tree answers where the compiler was not asked: for names that the tests do not import, and for keywords.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from forgetest.toolchains.rust.compile.case_build import CaseBuild
from forgetest.toolchains.rust.compile.diagnostics import Remark
from forgetest.toolchains.rust.compile.signatures import ExpectedItem, split_at_commas
from forgetest.toolchains.rust.compile.trusted_paths import SAMPLE_ROOT
from forgetest.toolchains.rust.source.lexer import Token, tokens
from forgetest.verdict import Condition

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_TYPES = {
    "struct_item": "struct",
    "enum_item": "enum",
    "trait_item": "trait",
    "type_item": "type",
    "union_item": "union",
}
_CONST_TYPES = re.compile(r"bool|char|[iu](8|16|32|64|128|size)")
_IS_A_TYPE = frozenset({"E0038", "E0106", "E0107", "E0191", "E0277", "E0726", "E0747", "E0782"})
"""Errors of a check that only guessed wrongly how many parameters a type has, or that it is a trait."""
_MOST_PARAMETERS = 16


def type_check(item: ExpectedItem, code: str) -> str:
    """Return code that compiles only if the sample has a type or a trait of that name, and no module or function.

    How many parameters the type has is read off the sample's text; no word of it gets into the check. If that guess is
    wrong, the compiler's error still says that it is a type, see `is_settled`.
    """
    keyword, parameters = _declaration(code, item.name)
    declared = ", ".join(f"{name}: {type_}" if name.startswith("const ") else name for name, type_ in parameters)
    given = ", ".join(name.removeprefix("const ") for name, _ in parameters)
    path = f"{SAMPLE_ROOT}::{item.name}" + (f"<{given}>" if given else "")
    if keyword == "trait":
        return f"fn pin<{declared}{', ' if declared else ''}Implementor: ?Sized + {path}>() {{}}"
    return f"type Pin{f'<{declared}>' if declared else ''} = {path};"


def is_settled(remark: Remark) -> bool:
    """Return whether an error of a type's check shows that there is such a type all the same."""
    code, message = remark.diagnostic.code, remark.diagnostic.message
    if code == "E0404":  # not a trait
        return re.match(r"expected trait, found (struct|enum|union|type alias)\b", message) is not None
    return code in _IS_A_TYPE


def _declaration(code: str, name: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the keyword and the parameters of the first type of that name in a text, under names of our own."""
    found = tokens(code)
    for index, token in enumerate(found[:-2]):
        if token.text in _TYPES.values() and _plain(found[index + 1].text) == _plain(name):
            return token.text, list(_parameters(found, index + 2))
    return "struct", []


def _parameters(found: list[Token], opening: int) -> Iterator[tuple[str, str]]:
    if found[opening].text != "<":
        return
    depth, end = 0, opening
    while end < len(found):
        depth += (found[end].text == "<") - (found[end].text == ">")
        if depth == 0:
            break
        end += 1
    for number, part in enumerate(split_at_commas(found[opening + 1 : end])[:_MOST_PARAMETERS]):
        texts = [token.text for token in part]
        if texts[0].startswith("'"):
            yield f"'p{number}", ""
        elif texts[0] == "const" and len(texts) > 3 and _CONST_TYPES.fullmatch(texts[3]):
            yield f"const P{number}", texts[3]
        else:
            yield f"P{number}", ""


def conditions(
    code: str, case_build: CaseBuild, unmet: Mapping[ExpectedItem, Condition], imported: Collection[str] | None
) -> list[Condition]:
    """Return whether each expected item is defined.

    `unmet` are the items whose checks did not compile, `imported` the names that the tests got from the sample: None if
    the sample and its tests did not compile together, so that a check without an error says nothing.
    """
    if not case_build.functions and not case_build.types:
        return []
    items = defined(code)
    return [
        *(_function_condition(code, item, case_build, items, unmet, imported) for item in case_build.functions),
        *(_type_condition(item, case_build, items, unmet, imported) for item in case_build.types),
    ]


def _function_condition(
    code: str,
    item: ExpectedItem,
    case_build: CaseBuild,
    items: frozenset[tuple[str, str]],
    unmet: Mapping[ExpectedItem, Condition],
    imported: Collection[str] | None,
) -> Condition:
    is_written = ("fn", _plain(item.name)) in items
    if item in unmet and (is_written or "cannot find" not in unmet[item].detail):
        return unmet[item]
    is_compiled = imported is not None and (
        item not in unmet if item.signature_check else item.name in imported or _is_made(code, item, case_build)
    )
    condition = _condition("expected_functions", item, holds=is_written or is_compiled)
    return _check_opaque(code, item, items) if item.opaque_of and condition.holds else condition


def _is_made(code: str, item: ExpectedItem, case_build: CaseBuild) -> bool:
    """Return whether macros of the sample make a method of that name, which tests that compiled use."""
    is_used = re.search(rf"(\.|::)\s*{re.escape(item.name)}\b", case_build.test_file.body) is not None
    words = {_plain(token.text) for token in tokens(code)}
    return is_used and {"macro_rules", _plain(item.name)} <= words


def _type_condition(
    item: ExpectedItem,
    case_build: CaseBuild,
    items: frozenset[tuple[str, str]],
    unmet: Mapping[ExpectedItem, Condition],
    imported: Collection[str] | None,
) -> Condition:
    kinds = {kind for kind, name in items if name == _plain(item.name) and kind != "fn"}
    is_written = item.keyword in kinds if item.keyword else bool(kinds)
    if item in unmet and (is_written or "cannot find" not in unmet[item].detail):
        return unmet[item]
    is_compiled = imported is not None and item in case_build.checked_types and item not in unmet and not kinds
    return _condition("expected_types", item, holds=item not in unmet and (is_written or is_compiled))


def _condition(key: str, item: ExpectedItem, *, holds: bool) -> Condition:
    return Condition(name=key, holds=holds, detail="" if holds else f"`{item.entry}` is not defined")


def defined(code: str) -> frozenset[tuple[str, str]]:
    """Return every (keyword, name) that the code defines, including in modules and implementations."""
    found = set()
    waiting = [syntax_tree(code)]
    while waiting:
        node = waiting.pop()
        keyword = "fn" if node.type == "function_item" else _TYPES.get(node.type)
        name = node.child_by_field_name("name")
        if keyword and name is not None:
            found.add((keyword, _plain(node_text(name))))
        if node.type not in ("token_tree", "block"):
            waiting.extend(node.children)
    return frozenset(found)


def _check_opaque(code: str, item: ExpectedItem, items: frozenset[tuple[str, str]]) -> Condition:
    """Check that a method's result shows no more than its trait: `impl Trait`, a box of it, or a type of std's."""
    results = list(_results(code, str(item.opaque_of), item.name))
    own = {name for kind, name in items if kind != "fn"}
    own |= set(re.findall(r"\bas\s+(?:r#)?(\w+)", code))  # imported under another name: it could be its own
    transparent = [text for text in results if not _is_opaque(text, own)]
    if results and not transparent:
        return Condition(name="expected_functions", holds=True)
    reason = f"its result is `{transparent[0]}`" if transparent else "it is not written out in an implementation"
    return Condition(name="expected_functions", holds=False, detail=f"`{item.entry}`: {reason}")


def _is_opaque(result: str, own: set[str]) -> bool:
    """Return whether a result type has no methods of the sample's, which would take precedence over its trait's."""
    if re.match(r"impl\b|(::\s*)?(std|core|alloc)\s*::", result):
        return True
    names = re.findall(r"\w+", re.split(r"\b(?:dyn|impl)\b", result, maxsplit=1)[0])
    return bool(names) and own.isdisjoint(names) and not {"Self", "crate", "self", "super"} & set(names)


def _results(code: str, owner: str, method: str) -> Iterator[str]:
    """Yield the result type of every method of that name in implementations for that type."""
    waiting: list[tuple[Node, bool]] = [(syntax_tree(code), False)]
    while waiting:
        node, inside = waiting.pop()
        if node.type == "impl_item":
            implemented = node.child_by_field_name("type")
            inside = implemented is not None and owner in re.findall(r"\w+", node_text(implemented))
        name, result = node.child_by_field_name("name"), node.child_by_field_name("return_type")
        named = name is not None and _plain(node_text(name)) == _plain(method)
        if inside and node.type == "function_item" and named:
            yield node_text(result) if result is not None else "()"
        if node.type not in ("token_tree", "block"):
            waiting.extend((child, inside) for child in node.children)


def _plain(name: str) -> str:
    """Return a name as it is without the mark of a raw identifier: `r#triple` and `triple` are the same."""
    return name.removeprefix("r#")


def node_text(node: Node) -> str:
    """Return the text of a node."""
    return (node.text or b"").decode(errors="replace")


def syntax_tree(code: str) -> Node:
    """Return the root of a text's syntax tree. Only for code that compiles: others may be written to be slow."""
    return _parser().parse(code.encode(errors="replace")).root_node


@cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_rust

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
