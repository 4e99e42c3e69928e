"""Stubs: functions without an implementation in what the spec names, and specs that the run changed or ticked off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.evidence import Evidence
from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.inspection.languages import name_of, text_of
from nerv.inspection.values import COMMENTS, ParsedFile, ancestors
from nerv.location import Location
from nerv.matching.spec_names import DefinitionIndex, names_in_line
from nerv.rules.named_code import remaining_function, undefined_function

if TYPE_CHECKING:
    from tree_sitter import Node

_UNIMPLEMENTED = re.compile(
    r"raise\s+NotImplementedError|raise\s+\w+\(\s*f?['\"][^'\"]*(?:not (?:yet )?implemented|\bTODO\b)"
    r"|panic!\s*\(\s*\"[^\"]*not (?:yet )?implemented|\b(?:todo|unimplemented)!\s*\("
    r"|throw\s+(?:new\s+)?\w*(?:Error|Exception)\(\s*['\"`][^'\"`]*"
    r"(?:not (?:yet )?implemented|unimplemented|TODO)"
    r"|throw\s+new\s+(?:UnsupportedOperationException|NotImplementedException)"
    r"|panic\(\s*\"[^\"]*(?:not (?:yet )?implemented|unimplemented|TODO)|errors\.New\(\s*\"[^\"]*not implemented",
    re.I,
)
_EMPTY = re.compile(
    r"(?:pass|\.\.\.|return(?:\s+(?:None|null|nil|undefined|0|-1|\"\"|''|\[\]|\{\}|False|false|Default::default\(\)))?;?"
    r"|None|0|String::new\(\)|Vec::new\(\)|vec!\[\])\s*;?"
)
_CONSTANT = re.compile(
    r"(?:[\w.]+\s*=\s*|return\s+)?(?P<value>-?\d[\d._]*\w*|\"[^\"]*\"|'[^']*'|True|False|true|false|None|null|nil"
    r"|(?:vec!)?[\[({][-\d\s,.()\[\]\"']*[\])}]|(?:\"[^\"]*\"\.to_string|String::new|Vec::new|String::from)\([^)]*\)"
    r"|(?:Ok|Some)\([\w\".-]*\))(?:\s*,\s*(?:nil|true|false|0|\"\"))*\s*;?"
)
_PLACEHOLDER = re.compile(
    r"\b(?:TODO|FIXME|stub|placeholder|not (?:yet )?implemented|implement (?:this|me|later))\b", re.I
)
_ADMITS = re.compile(
    r"\bnot (?:yet |been )?(?:implemented|finished|complete|done)|\bunfinished|\bincomplete|\bpartial|\bremaining\b"
    r"|\bstubs?\b|\bplaceholder|\bTODO\b|\bstill (?:need|missing|open|to do)|\bcould not (?:finish|complete)"
    r"|\bunimplemented|\bdid not (?:finish|implement|get)|\bout of scope|\bmissing:",
    re.I,
)
_ONLY_FAILS = re.compile(
    r"(?:raise\s+\w|throw\s+\w|panic!?\s*\(|unreachable!\s*\(|return\s+(?:nil|\"\"|0|false),\s*(?:errors|fmt)\.)"
)
"""The only statement of a function that does nothing but fail."""
_ONLY_PASSES_ON = re.compile(r"(?:return\s+)?\w+\((?:[\w.]+(?:,\s*[\w.]+)*)?\)\s*;?")
_SHORT = 200
_ABSTRACT = re.compile(
    r"\b(?:ABC|ABCMeta|Protocol|abstract|Base\w*|\w*(?:Error|Exception))\b|class \w*(?:Base|Abstract|Interface)"
)
_STAND_IN = re.compile(r"class \w*(?:Fake|Stub|Null|Dummy|Mock|No[oO]p|Empty|Silent)")
_FOR_SUBCLASSES = re.compile(r"\bsubclass|\boverrid|\babstract\b|\bmust be (?:defined|provided|implemented) by\b", re.I)
_RETURNS = re.compile(r"\breturn\s+\S|^\{?\s*[\w\"'.-]+\s*\}?$")
_BOX = re.compile(r"^\s*[-*+]\s*\[(?P<mark>[ xX])\]\s*(?P<text>.+?)\s*$")


def unfinished_work(run: ReviewedRun) -> list[Finding]:
    """Find stubs, and requirements that the run ticked off or removed itself."""
    stubs = [(file, node) for file in run.code_files if file.new_tree is not None for node in _stubs(file.new_tree)]
    return [*_named_stubs(run, stubs), *_ticked_boxes(run, {name_of(node).lower() for _, node in stubs})]


def _named_stubs(run: ReviewedRun, stubs: list[tuple[ChangedFile, Node]]) -> Iterator[Finding]:
    last = run.evidence.activity.actions.final_message
    admitted = last is not None and _ADMITS.search(last.text) is not None
    spec = run.spec_text.lower()
    for file, node in stubs:
        name = name_of(node)
        body = text_of(node.child_by_field_name("body"))
        plain = _UNIMPLEMENTED.search(body) is not None
        word = rf"(?<!\w){re.escape(name.lower())}(?!\w)"
        named = len(name) > 2 and re.search(word if plain else rf"`[^`\n]*{word}[^`\n]*`|{word}\s*\(", spec) is not None
        if not named and not plain:
            continue
        level: FindingLevel = "note"
        if named and not admitted:
            level = "proven" if plain else "likely"
        elif plain and not admitted:
            level = "likely"
        of = ", which the spec names," if named else ""
        what = (
            "is not implemented" if plain or not _RETURNS.search(body) else "returns a constant, whatever it is given"
        )
        text = f"In {file.path}, {name or 'a function'}{of} {what}."
        where = file.new_tree.at(node) if file.new_tree else file.location
        yield finding("stub", level, text, where=where, lines=text_of(node).split("\n")[:6], criterion="requirements")


def _stubs(tree: ParsedFile) -> Iterator[Node]:
    """Yield the functions that the run wrote and whose body does nothing."""
    for node in tree.nodes:
        if node.type not in tree.language.functions or _is_abstract(node):
            continue
        body = node.child_by_field_name("body")
        if body is None or not (tree.own(node) or tree.own(body)):
            continue
        statements = [each for each in body.named_children if each.type not in COMMENTS and not _is_docstring(each)]
        only = text_of(statements[0]).strip() if len(statements) == 1 else ""
        unimplemented = _UNIMPLEMENTED.search(only) if len(only) < _SHORT else None
        placeholder = (not statements or _EMPTY.fullmatch(only)) and _PLACEHOLDER.search(text_of(node))
        hollow = only in ("pass", "...") and not name_of(node).startswith("_")
        constant = _CONSTANT.fullmatch(only)
        passes_on = _ONLY_PASSES_ON.fullmatch(only) and _unused_parameters(node, only)
        fails = passes_on or (_ONLY_FAILS.match(only) and len(only) < _SHORT)
        if unimplemented or placeholder or hollow or fails or (constant and _ignores_input(node, constant["value"])):
            yield node


def _unused_parameters(node: Node, body: str) -> bool:
    """Return whether a function that calls another one drops a parameter: it adds nothing to what was there."""
    parameters = text_of(node.child_by_field_name("parameters")).strip("()")
    if re.search(r"\bself\b|\bthis\b|[{}*]", parameters):
        return False
    names = [re.match(r"\s*(?:mut\s+)?(\w+)", each) for each in parameters.split(",")]
    given = [match[1] for match in names if match is not None and not match[1].startswith("_")]
    return len(given) > 1 and any(re.search(rf"\b{re.escape(name)}\b", body) is None for name in given)


def _ignores_input(node: Node, value: str) -> bool:
    """Return whether a function of one constant has parameters to use, which those that begin with `_` are not."""
    given = re.findall(
        r"(?:^|[(,])\s*(?:&?(?:mut\s+)?)?([A-Za-z_]\w*)", text_of(node.child_by_field_name("parameters"))
    )
    given = [name for name in given if name not in ("self", "cls", "this")]
    method = "self" in text_of(node.child_by_field_name("parameters"))
    telling = re.search(r"[1-9]|\"[^\"]|'[^']", value) is not None
    return bool(given) and (telling if method or all(name.startswith("_") for name in given) else True)


def _is_docstring(node: Node) -> bool:
    return (
        node.type == "expression_statement"
        and len(node.named_children) == 1
        and node.named_children[0].type == "string"
    )


def _is_abstract(node: Node) -> bool:
    """Return whether a function is meant to have no body: abstract, a protocol's, an overload, or a fallback."""
    if re.match(r"(?:__\w+__|visit_|on_|handle_)", name_of(node)) or _FOR_SUBCLASSES.search(text_of(node)):
        return True
    for around in ancestors(node):
        if around.type == "decorated_definition" and re.search(
            r"abstractmethod|overload|fixture", text_of(around)[:300]
        ):
            return True
        if around.type in ("class_definition", "class_declaration", "abstract_class_declaration"):
            head = _head(around)
            return _ABSTRACT.search(head) is not None or _STAND_IN.search(head) is not None
        if around.type in ("trait_item", "interface_declaration"):
            return True
    return False


def _head(node: Node) -> str:
    text = node.text.decode("utf-8", "replace")[:300] if node.text is not None else ""
    return text.split("\n")[0]


# --- the spec's boxes


def _ticked_boxes(run: ReviewedRun, stubs: set[str]) -> Iterator[Finding]:
    definitions = DefinitionIndex(run.inspection.definitions)
    code = "\n".join(file.new.text for file in run.code_files if file.new is not None)
    has_code = any(file.new_tree is not None or file.kind == "deleted" for file in run.files if not _is_spec(file, run))
    for file in run.files:
        if not _is_spec(file, run):
            continue
        before = _boxes(file.removed_lines)
        after = _boxes([line for line, _ in file.added_lines])
        places = {match["text"]: location for line, location in file.added_lines if (match := _BOX.match(line))}
        ticked = [text for text, done in after.items() if done and before.get(text) is False]
        empty = [
            text
            for text in ticked
            if _is_missing(text, file, definitions, stubs, code) or _is_unmet(text, run.evidence)
        ]
        if ticked:
            shown = empty or ticked
            level: FindingLevel = "proven" if not has_code else "likely" if empty else "note"
            why = (
                "" if has_code and not empty else "; no code was written" if not has_code else "; not all of it exists"
            )
            text = f"The run ticked off {len(ticked)} items of {file.path} itself{why}."
            lines = [f"- [x] {each}" for each in shown]
            yield finding(
                "ticked_by_the_run", level, text, where=places.get(shown[0]), lines=lines, criterion="requirements"
            )
        gone = [text for text in before if text not in after]
        if gone and not ticked and len(after) < len(before):
            text = f"The run removed {len(gone)} requirements from {file.path}."
            lines = [f"- {each}" for each in gone]
            yield finding("changed_spec", "likely", text, where=file.location, lines=lines, criterion="requirements")


def _is_spec(file: ChangedFile, run: ReviewedRun) -> bool:
    name = file.path.rpartition("/")[2].lower()
    given = run.evidence.spec.file.rpartition("/")[2].lower()
    return file.kind != "added" and (
        name == given or re.fullmatch(r"(?:spec|prd|requirements|todo|tasks?)\.md", name) is not None
    )


def _boxes(lines: list[str] | tuple[str, ...]) -> dict[str, bool]:
    return {match["text"]: match["mark"] in "xX" for line in lines if (match := _BOX.match(line))}


def _is_unmet(text: str, evidence: Evidence) -> bool:
    """Return whether the result lacks the function that an item is about, or has one that is to go."""
    items = [item for item in evidence.spec.items if item.text == text]
    return any(undefined_function(item, evidence) or remaining_function(item, evidence) for item in items)


def _is_missing(text: str, file: ChangedFile, definitions: DefinitionIndex, stubs: set[str], code: str) -> bool:
    """Return whether an item names something that the code has not at all, or has as a stub."""
    for name in names_in_line(text, Location(file=file.path)):
        if name.kind == "function" and (name.name.lower() in stubs or not re.search(rf"\b{name.name}\b", code)):
            return True
        if name.kind == "endpoint" and definitions.find(name) is None:
            last = re.findall(r"\w+", name.name)[-1]
            if last not in code:
                return True
    return False
