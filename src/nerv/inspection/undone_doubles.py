"""Test doubles undone: where tests replace code that the run wrote, the code itself is in its place again.

A test that fails then holds of the double and not of the code.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from nerv.inspection.hollow_code import Edit, edited
from nerv.inspection.languages import SyntaxLanguage, language_of, name_of, parse, row, text_of, walk
from nerv.inspection.source import LARGEST
from nerv.inspection.values import STRINGS, enclosing, inner_text

if TYPE_CHECKING:
    from tree_sitter import Node

_RENAMED = "_of_the_test"
_READS_VARIABLE = re.compile(
    r"(?:environ(?:\.get)?[\[(]|getenv\(|Getenv\(|LookupEnv\()\s*[\"'](\w+)|process\.env(?:\.(\w+)|\[[\"'](\w+))"
)
_SETS_VARIABLE = re.compile(r"(?:\w+\.)*(?:setenv|Setenv|setdefault)")
_PATCHES = re.compile(r"(?:\w+\.)*patch(?:\.object)?")
_SETS = re.compile(r"(?:\w+\.)*monkeypatch\.setattr|\w+\.setattr")
_MOCKS = re.compile(r"(?:\w+\.)*mock\.method|(?:jest|vi)\.spyOn")
_FUNCTIONS = frozenset({"lambda", "arrow_function", "function_expression", "func_literal", "identifier", "call"})
_VARIABLES = frozenset({"var_spec", "const_spec"})
_STRUCT_FIELD = "field_declaration"
_REACHES_OUTSIDE = re.compile(
    r"\b(?:urlopen|urllib|requests\.|httpx?\.|http\.|socket|fetch\(|XMLHttpRequest|subprocess|spawn|exec\w*\(|system\("
    r"|(?:datetime|date)\.(?:now|today|utcnow)|time\.(?:time|monotonic|sleep|Now|Since|Sleep)\b|Date\.now|new Date\(\)"
    r"|performance\.now|sleep\(|setTimeout|setInterval|random|secrets|uuid|crypto|os\.(?:environ|getenv|Getenv|Open|ReadFile)"
    r"|process\.(?:env|stdin|stdout)|open\(|input\(|readFile|writeFile|read_text|read_bytes|Path\()"
)
"""Words for the network, the clock, chance, processes, files and the environment."""


def replaceable_names(files: Iterable[tuple[str, str, Collection[int]]]) -> frozenset[str]:
    """Return the functions, types and variables of a package that some files define on some lines (from 1).

    Without functions that reach for the world outside, themselves or by what they call: tests may replace these.
    A variable of the environment that these lines read begins with `$`.
    """
    names: set[str] = set()
    variables: set[str] = set()
    outside: dict[str, set[str]] = {}
    for path, text, lines in files:
        language = language_of(path)
        if language is None or len(text) > LARGEST:
            continue
        for number, line in enumerate(text.split("\n"), 1):
            read = _READS_VARIABLE.findall(line) if number in lines else ()
            variables.update(f"${part}" for match in read for part in match if part)
        for node in walk(parse(language, text)):
            if node.type not in language.functions | language.types | _VARIABLES or not (name := name_of(node)):
                continue
            if row(node) + 1 in lines:
                names.add(name)
            if node.type not in language.types:
                body = text_of(node)
                called = {""} if _REACHES_OUTSIDE.search(body) else set()
                outside.setdefault(name, set()).update(called, re.findall(r"\w+", body))
    reaching = {""}
    while more := {name for name, words in outside.items() if name not in reaching and words & reaching}:
        reaching |= more
    return frozenset(names - reaching) | variables


def undo_doubles(path: str, text: str, names: Collection[str]) -> bytes | None:
    """Return a test file that replaces none of these functions and methods; None if it replaces none of them.

    In Python, JavaScript and Go. A double that calls what it stands for is left alone.
    """
    language = language_of(path)
    undo = _UNDO.get(language.name) if language is not None else None
    if language is None or undo is None or len(text) > LARGEST:
        return None
    return edited(text, [edit for node in walk(parse(language, text)) for edit in undo(node, names, language)])


def _python(node: Node, names: Collection[str], language: SyntaxLanguage) -> Iterator[Edit]:
    if node.type == "function_definition":
        yield from _renamed_method(node, names, language)
    elif node.type == "assignment":
        yield from _restored(node, names, "attribute")
    elif node.type == "call" and _replaced_name(node) in names:
        called = text_of(node.child_by_field_name("function"))
        if _SETS_VARIABLE.fullmatch(called) or _SETS.fullmatch(called):
            yield node.start_byte, node.end_byte, "None"
        elif _PATCHES.fullmatch(called):
            yield from _wrapped_patch(node, called)


def _javascript(node: Node, names: Collection[str], language: SyntaxLanguage) -> Iterator[Edit]:
    if node.type == "method_definition":
        yield from _renamed_method(node, names, language)
    elif node.type == "assignment_expression":
        yield from _restored(node, names, "member_expression")
    elif (
        node.type == "call_expression"
        and _MOCKS.fullmatch(text_of(node.child_by_field_name("function")))
        and _replaced_name(node) in names
    ):
        yield node.start_byte, node.end_byte, "undefined"


def _go(node: Node, names: Collection[str], _: SyntaxLanguage) -> Iterator[Edit]:
    left = node.child_by_field_name("left") if node.type == "assignment_statement" else None
    right = node.child_by_field_name("right") if left is not None else None
    if left is not None and right is not None and text_of(left) in names and _is_function(right):
        yield left.start_byte, left.end_byte, "_"
    if node.type == "call_expression" and _replaced_name(node) in names and _replaced_name(node)[0] == "$":
        yield node.start_byte, node.end_byte, '_ = ""'
    name = node.child_by_field_name("name") if node.type == "method_declaration" else None
    if name is not None and text_of(name) in names and _embeds(node, names) and not _calls(node, text_of(name)):
        yield name.end_byte, name.end_byte, "OfTheTest"


_UNDO = {"Python": _python, "JavaScript": _javascript, "TypeScript": _javascript, "Go": _go}


def _wrapped_patch(call: Node, called: str) -> Iterator[Edit]:
    """Let a patch pass on to what it stands for; it still notes its calls."""
    arguments = call.child_by_field_name("arguments")
    given = [text_of(each) for each in arguments.named_children] if arguments is not None else []
    kept = given[: 2 if called.endswith(".object") else 1]
    if arguments is None or any("=" in each for each in kept) or any("*" in each[:1] for each in given):
        return
    real = f"getattr({', '.join(kept)})" if len(kept) == 2 else f'__import__("pkgutil").resolve_name({kept[0]})'
    positional = [each for each in given[len(kept) :] if not re.match(r"\w+\s*=", each)]
    way = "new" if positional or any(re.match(r"new\s*=", each) for each in given) else "wraps"
    yield arguments.start_byte, arguments.end_byte, f"({', '.join(kept)}, {way}={real})"


def _renamed_method(node: Node, names: Collection[str], language: SyntaxLanguage) -> Iterator[Edit]:
    """Rename a method by which a class of the tests overrides that of a class of the code."""
    around = enclosing(node, language.types)
    name = node.child_by_field_name("name")
    if around is None or name is None or text_of(name) not in names or text_of(name) in ("constructor", "__init__"):
        return
    parents = [around.child_by_field_name("superclasses"), around.child_by_field_name("superclass")]
    parents += [each for each in around.children if each.type == "class_heritage"]
    extended = {word for each in parents if each is not None for word in re.findall(r"\w+", text_of(each))}
    if extended & set(names) and not _calls(node, text_of(name)):
        yield name.end_byte, name.end_byte, _RENAMED


def _restored(node: Node, names: Collection[str], kind: str) -> Iterator[Edit]:
    """Assign to an attribute what it has anyway: `shop.price = lambda n: 9`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    variable = re.search(r"\benviron\[[\"'](\w+)[\"']\]$|\bprocess\.env\.(\w+)$", text_of(left))
    if variable is not None and f"${variable[1] or variable[2]}" in names:
        yield left.start_byte, left.end_byte, "globalThis.unset" if variable[2] else "_unset"
    if left.type != kind or not _is_function(right):
        return
    if text_of(left).rpartition(".")[2] in names:
        yield right.start_byte, right.end_byte, text_of(left)


def _is_function(value: Node) -> bool:
    inner = value.named_children[0] if value.type == "expression_list" and value.named_children else value
    return inner.type in _FUNCTIONS


def _replaced_name(call: Node) -> str:
    """Return the last word of the text by which a call names what it replaces: `patch("shop.price")`.

    For a variable of the environment, with `$`: `monkeypatch.setenv("STEP", "1")`.
    """
    arguments = call.child_by_field_name("arguments")
    given = arguments.named_children[:2] if arguments is not None else []
    sign = "$" if _SETS_VARIABLE.fullmatch(text_of(call.child_by_field_name("function"))) else ""
    return next((sign + inner_text(each).rpartition(".")[2] for each in given if each.type in STRINGS), "")


def _embeds(method: Node, names: Collection[str]) -> bool:
    """Return whether the type of a method of Go embeds a type of the code."""
    receiver = text_of(method.child_by_field_name("receiver"))
    words = re.findall(r"\w+", receiver)
    root = method
    while root.parent is not None:
        root = root.parent
    for node in walk(root):
        if node.type == "type_spec" and words and name_of(node) == words[-1]:
            fields = [each for each in walk(node) if each.type == _STRUCT_FIELD]
            kinds = {text_of(each).lstrip("*").rpartition(".")[2] for each in fields if len(each.named_children) == 1}
            return bool(kinds & set(names))
    return False


def _calls(function: Node, name: str) -> bool:
    """Return whether a double calls what it stands for: `super().price(n)`, `g.LogGauge.Latest()`."""
    body = function.child_by_field_name("body")
    return body is not None and re.search(rf"\.{re.escape(name)}\(", text_of(body)) is not None
