"""Input that is accepted and ignored: parameters and options that the spec gives a meaning and the code never reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import name_of, text_of, walk
from nerv.inspection.values import COMMENTS, ParsedFile, enclosing
from nerv.matching.code_names import names_of

if TYPE_CHECKING:
    from tree_sitter import Node

_WITH_DEFAULTS = frozenset({"assignment_pattern", "default_parameter", "typed_default_parameter"})
_SELF = frozenset({"self", "cls", "this"})
_IDENTIFIERS = frozenset(
    {"identifier", "shorthand_property_identifier_pattern", "shorthand_property_identifier", "property_identifier"}
)
_GIVEN_BY_OTHERS = frozenset(
    {"req", "request", "res", "response", "next", "ctx", "context", "event", "e", "err", "error", "args", "kwargs", "t"}
)
"""Parameters that a framework hands over, whether or not they are needed."""
_THROWN_AWAY = re.compile(
    r"\b(?:let\s+)?_\s*=\s*&?\(?\w+(?:\s*,\s*\w+)*\)?\s*(?:;|$)|\b(?:void|del)\s+\w+\s*(?:;|$)", re.M
)
"""Statements by which a parameter is named and not used: `let _ = limit;`, `void limit;`, `del limit`."""
_BRANCHES = frozenset({"if_statement", "if_expression"})
_REFUSALS = frozenset({"raise_statement", "throw_statement"})
_CHECKS = frozenset(
    {
        "if",
        "not",
        "is",
        "or",
        "and",
        "in",
        "None",
        "null",
        "undefined",
        "nil",
        "isinstance",
        "int",
        "float",
        "str",
        "bool",
    }
    | {"len", "typeof", "Number", "isInteger", "isNaN", "isFinite", "Array", "isArray", "type", "list", "tuple", "dict"}
)
"""Words of a condition that checks an input."""
_EVERYTHING = frozenset({"locals", "arguments"})
"""Words by which a function reads all of its parameters."""
_LONG = re.compile(r"['\"]--([A-Za-z][\w-]*)['\"]")
_DESTINATION = re.compile(r"\bdest\s*=\s*['\"](\w+)['\"]")
_PARSED = re.compile(r"\b(\w+)(?:\s*:\s*[\w.]+)?\s*=\s*[\w.()]+\.parse_args\(")
_WITHOUT_VALUE = re.compile(r"action\s*=\s*['\"](?:version|help)['\"]")
_ALL_AT_ONCE = re.compile(r"\bvars\(|\*\*\w|__dict__|\bgetattr\(|\b_get_kwargs\(|set_defaults\(")
"""Ways to read options without their names."""


def ignored_input(run: ReviewedRun, level: FindingLevel, is_left_alone: Callable[[Node], bool]) -> Iterator[Finding]:
    """Find parameters and options of which the spec says what they do, and which nothing reads.

    Some functions are left alone: abstract ones, and those that do nothing at all.
    """
    named = set(names_of(run.evidence.spec.text))
    for file in run.code_files:
        if file.new_tree is not None:
            functions = [node for node in _named_functions(file.new_tree, named) if not is_left_alone(node)]
            for node in functions:
                yield from _ignored_parameters(run, file, file.new_tree, node, level)
            yield from _ignored_options(run, file, file.new_tree, level)


def parameters_of(node: Node) -> dict[str, Node]:
    """Return the parameters of a function by their names, those of a destructured object included."""
    given = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
    found: dict[str, Node] = {}
    for each in walk(given) if given is not None else ():
        if each.type in _IDENTIFIERS and text_of(each) not in _SELF and not _is_default(each, given):
            found.setdefault(text_of(each), each)
    return found


def _is_default(node: Node, parameters: Node | None) -> bool:
    """Return whether a name is part of a type or a default, or the key of `{ key: name }`, rather than a parameter."""
    child: Node = node
    around = node.parent
    while around is not None and child != parameters:
        if child in (around.child_by_field_name(field) for field in ("type", "right", "key", "return_type")):
            return True
        if around.type in _WITH_DEFAULTS and around.child_by_field_name("value") == child:
            return True
        child, around = around, around.parent
    return False


def _named_functions(tree: ParsedFile, named: set[str]) -> Iterator[Node]:
    for node in tree.nodes:
        body = node.child_by_field_name("body")
        is_named = node.type in tree.language.functions and name_of(node) in named
        if is_named and body is not None and tree.own(body) and not _is_override(node, tree):
            yield node


def _ignored_parameters(
    run: ReviewedRun, file: ChangedFile, tree: ParsedFile, node: Node, level: FindingLevel
) -> Iterator[Finding]:
    name, body = name_of(node), node.child_by_field_name("body")
    if node.has_error:
        return  # what does not build is told by other means
    read = _words_that_are_read(node, body, tree) if body is not None else frozenset()
    for parameter in parameters_of(node):
        if parameter not in read and not parameter.startswith("_") and _has_meaning(run, name, parameter):
            text = f"In {file.path}, {name} takes {parameter}, to which the spec gives a meaning, and ignores it."
            lines = text_of(node).split("\n")[:3]
            yield finding("stub", level, text, where=tree.at(node), lines=lines, criterion="requirements")


def _words_that_are_read(function: Node, body: Node, tree: ParsedFile) -> frozenset[str]:
    """Return the words of a body without comments, and of the defaults; a text may name a variable, as `"{cents}"`."""
    left_out = [each for each in walk(body) if each.type in COMMENTS]
    first = body.named_children[0] if body.named_children else None
    if first is not None and first.named_children and first.named_children[0].type == "string":
        left_out.append(first)  # the documentation
    code = bytearray(body.text or b"")
    for each in (*left_out, *_dropped_arguments(body, tree), *_guards(body)):
        start, end = each.start_byte - body.start_byte, each.end_byte - body.start_byte
        code[start:end] = b" " * (end - start)
    text = _THROWN_AWAY.sub(" ", code.decode("utf-8", "replace"))
    parameters = function.child_by_field_name("parameters")
    defaults = [text_of(each) for each in walk(parameters) if _is_default(each, parameters)] if parameters else []
    words = frozenset(re.findall(r"\w+", " ".join([text, *defaults])))
    return words if not words & _EVERYTHING else words | frozenset(parameters_of(function))


def _guards(body: Node) -> list[Node]:
    """Return the statements that only refuse an input, if the function does more."""
    statements = [each for each in body.named_children if each.type not in COMMENTS]
    if len(statements) == 1 and statements[0].type == "statement_list":
        statements = [each for each in statements[0].named_children if each.type not in COMMENTS]
    guards = [each for each in statements if each.type in _BRANCHES and _only_refuses(each)]
    return guards if len(guards) < len(statements) else []


def _only_refuses(branch: Node) -> bool:
    """Return whether a branch without an alternative does nothing but raise or throw, for what is no valid input.

    `if limit < 0` asks for nothing but the input; `if reserved` and `if today > due` have a meaning.
    """
    consequence = branch.child_by_field_name("consequence")
    condition = text_of(branch.child_by_field_name("condition"))
    words = set(re.findall(r"(?<![\w.\"'])[A-Za-z_]\w*", condition)) - _CHECKS
    if consequence is None or branch.child_by_field_name("alternative") is not None:
        return False
    if len(words) != 1 or not re.search(r"[<>=]|\b(?:is|isinstance|typeof|isNaN|isInteger)\b", condition):
        return False
    inner = [each for each in consequence.named_children if each.type not in COMMENTS]
    return len(inner or [consequence]) == 1 and (inner or [consequence])[0].type in _REFUSALS


def _dropped_arguments(body: Node, tree: ParsedFile) -> Iterator[Node]:
    """Yield arguments that the function of the same file takes no notice of; JavaScript lets them pass."""
    counts: dict[str, int] = {}
    for node in tree.nodes:
        given = node.child_by_field_name("parameters") if node.type in tree.language.functions else None
        if given is not None and "arguments" not in text_of(node) and "..." not in text_of(given):
            counts[name_of(node)] = len([each for each in given.named_children if each.type not in COMMENTS])
    for call in walk(body):
        called = call.child_by_field_name("function") if call.type == "call_expression" else None
        given = call.child_by_field_name("arguments") if called is not None else None
        if given is not None and called is not None and text_of(called) in counts and "..." not in text_of(given):
            yield from given.named_children[counts[text_of(called)] :]


def _is_override(node: Node, tree: ParsedFile) -> bool:
    """Return whether a method may have to take what it does not need, because its class has a parent."""
    around = enclosing(node, tree.language.types)
    return around is not None and any(
        around.child_by_field_name(field) is not None for field in ("superclasses", "superclass", "interfaces")
    )


def _has_meaning(run: ReviewedRun, function: str, parameter: str) -> bool:
    """Return whether the spec has the parameter as code: by itself, or in the function's signature."""
    if parameter in _GIVEN_BY_OTHERS:
        return False
    text = run.evidence.spec.text
    signatures = re.findall(rf"`{re.escape(function)}\(([^`]*)\)[^`]*`", text)
    asked = any(re.search(rf"(?<![\w\"'.]){re.escape(parameter)}(?![\w\"'(])", each) for each in signatures)
    return asked or re.search(rf"`{re.escape(parameter)}\b[^`]*`", text) is not None


def _ignored_options(run: ReviewedRun, file: ChangedFile, tree: ParsedFile, level: FindingLevel) -> Iterator[Finding]:
    """Find options of argparse that nothing reads."""
    code = "\n".join(each.new.text for each in run.code_files if each.new is not None)
    if tree.language.name != "Python" or "add_argument(" not in tree.source.text or _ALL_AT_ONCE.search(code):
        return
    owners = _names_of_options(code)
    for node in tree.nodes:
        called = text_of(node.child_by_field_name("function")) if node.type == "call" and tree.own(node) else ""
        given = text_of(node.child_by_field_name("arguments"))
        option = _LONG.search(given) if called.endswith("add_argument") else None
        if option is None or _WITHOUT_VALUE.search(given):
            continue
        destination = _DESTINATION.search(given)
        name = destination[1] if destination is not None else option[1].replace("-", "_")
        if not _is_read(name, owners, code):
            text = f"{file.path} takes the option --{option[1]} and ignores it."
            shown: FindingLevel = level if f"--{option[1]}" in run.spec_text else "note"
            yield finding("stub", shown, text, where=tree.at(node), lines=[text_of(node)], criterion="requirements")


def _is_read(name: str, owners: set[str], code: str) -> bool:
    """Return whether an option may be read: as an attribute of what was parsed, if that goes nowhere else."""
    owner = rf"\b(?:{'|'.join(map(re.escape, owners))})" if owners else ""
    return re.search(rf"{owner}\.{re.escape(name)}\b", code) is not None


def _names_of_options(code: str) -> set[str]:
    """Return the variables that hold what was parsed, also those of functions that get it; none if one is not known."""
    found = set(_PARSED.findall(code))
    for name in tuple(found):
        rest = code
        for call in re.finditer(r"(\w+)\(([^()]*)\)", code):
            given = [each.strip() for each in call[2].split(",")]
            if name not in given or code[: call.start()].endswith("def "):
                continue
            definition = re.search(rf"\bdef {call[1]}\(([^)]*)\)", code)
            if definition is not None:
                taken = [re.split(r"[:=]", each)[0].strip() for each in definition[1].split(",")]
                place = given.index(name)
                found.add(taken[place] if place < len(taken) else "")
                rest = rest.replace(call[0], "")
        without_definitions = re.sub(r"\bdef \w+\([^)]*\)", "", rest)
        if re.search(rf"(?<![\w.]){name}\b(?!\s*[.=])", without_definitions):
            return set()
    return set() if "" in found else found
