"""Stubs: functions without an implementation, and parameters and options that the spec names and the code ignores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nerv.finding import Finding, FindingLevel
from nerv.findings.changed_files import ChangedFile
from nerv.findings.reviewed_run import ReviewedRun, finding
from nerv.findings.unfinished.ignored_input import ignored_input, parameters_of
from nerv.inspection.languages import SyntaxLanguage, name_of, text_of, walk
from nerv.inspection.values import COMMENTS, ParsedFile, ancestors, enclosing
from nerv.matching.text_similarity import stems

if TYPE_CHECKING:
    from tree_sitter import Node

_TODO = r"(?-i:\bTODO\b)|(?<=['\"`])todo\s*[:!'\"`]"
"""A text that says that something is to do; a plain "todo" may be what the program is about."""
_UNIMPLEMENTED = re.compile(
    rf"raise\s+NotImplementedError|raise\s+\w+\(\s*f?['\"][^'\"]*(?:not (?:yet )?implemented|{_TODO})"
    r"|panic!\s*\(\s*\"[^\"]*not (?:yet )?implemented|\b(?:todo|unimplemented)!\s*\("
    r"|throw\s+(?:new\s+)?\w*(?:Error|Exception)\(\s*['\"`][^'\"`]*"
    rf"(?:not (?:yet )?implemented|unimplemented|{_TODO})"
    r"|throw\s+new\s+(?:UnsupportedOperationException|NotImplementedException)"
    rf"|panic\(\s*\"[^\"]*(?:not (?:yet )?implemented|unimplemented|{_TODO})|errors\.New\(\s*\"[^\"]*not implemented",
    re.I,
)
_EMPTY = re.compile(
    r"(?:pass|\.\.\.|return(?:\s+(?:None|null|nil|undefined|0|-1|\"\"|''|\[\]|\{\}|False|false|Default::default\(\)))?;?"
    r"|None|0|String::new\(\)|Vec::new\(\)|vec!\[\]|return \(\w*\) => (?:true|false|null|undefined|0);?)\s*;?"
)
_CONSTANT = re.compile(
    r"(?:[\w.]+\s*=\s*|return\s+)?(?P<value>-?\d[\d._]*\w*|\"[^\"]*\"|'[^']*'|True|False|true|false|None|null|nil"
    r"|(?:vec!)?[\[({][-\d\s,.()\[\]\"']*[\])}]|(?:\"[^\"]*\"\.to_string|String::new|Vec::new|String::from)\([^)]*\)"
    r"|(?:Ok|Some)\([\w\".-]*\))(?:\s*,\s*(?:nil|true|false|0|\"\"))*\s*;?"
)
_PUT_OFF = re.compile(
    r"(?:#|//|/\*|--).*(?:\bfor (?:now|the moment|the time being)\b|\bplaceholder\b|\bto be done\b"
    r"|\bnot (?:yet )?(?:implemented|supported|handled|done)\b"
    r"|(?-i:\b(?:TODO|FIXME)\b):?\s*(?:implement|restore|handle|support|add|write|read|parse|check|validate|finish"
    r"|complete|apply|compute|calculate|use the real)\b)",
    re.I,
)
_PUT_OFF_INSIDE = re.compile(r"(?:#|//|/\*)\s*(?:TODO|FIXME)\b")
_RAISES = re.compile(r"[\"'/*#].*\b[Rr]aises? [A-Z]\w*(?:Error|Exception)\b")
"""A docstring or comment by which a function fails for some input."""
_NOTHING = frozenset({"None", "null", "nil", "nothing", "undefined"})
_PLACEHOLDER = re.compile(
    r"(?:#|//|\*)\s*todo\b|\b(?:(?-i:TODO)|FIXME|stub|placeholder|not (?:yet )?implemented|implement (?:this|me|later)"
    r"|for now|to be done"
    r"|(?:next|later) (?:version|release)|follows? (?:later|once|soon|when)|comes? later)\b",
    re.I,
)
_ADMITS = re.compile(
    r"\bnot (?:yet |been )?(?:implemented|finished|complete|done)|\bunfinished|\bincomplete|\bpartial|\bremaining\b"
    r"|\bstubs?\b|\bplaceholder|(?-i:\bTODO\b)|\bstill (?:need|missing|open|to do)|\bcould not (?:finish|complete)"
    r"|\b(?:is|are) not[.;:,]|\bunimplemented|\bdid not (?:finish|implement|get)|\bout of scope|\bmissing:",
    re.I,
)
_ONLY_FAILS = re.compile(
    r"(?:raise\s+\w|throw\s+\w|panic!?\s*\(|unreachable!\s*\(|return\s+(?:nil|\"\"|0|false),\s*(?:errors|fmt)\.)"
)
"""The only statement of a function that does nothing but fail."""
_ONLY_PASSES_ON = re.compile(r"(?:return\s+)?\w+\((?:[\w.]+(?:,\s*[\w.]+)*)?\)\s*;?")
_GIVES_CONSTANT = re.compile(r"return (?P<value>[a-zA-Z_]\w*|[1-9][\d.]*|\"[^\"]+\"), nil")
_FAILED_RETURN = re.compile(r",\s*(?:\w*[eE]rr\w*|\w+\.\w+\(.*\))$", re.S)
_LOOPS = frozenset({"for_statement", "while_statement", "range_clause"})
_SHORT = 200
_TELLING = 5
"""Letters of a word that a spec does not have by chance."""
_ABSTRACT = re.compile(
    r"\b(?:ABC|ABCMeta|Protocol|abstract|Base\w*|\w*(?:Error|Exception))\b|class \w*(?:Base|Abstract|Interface)"
)
_STAND_IN = re.compile(r"class \w*(?:Fake|Stub|Null|Dummy|Mock|No[oO]p|Empty|Silent)")
_FOR_SUBCLASSES = re.compile(r"\bsubclass|\boverrid|\babstract\b|\bmust be (?:defined|provided|implemented) by\b", re.I)
_RETURNS = re.compile(r"\breturn\s+\S|^\{?\s*[\w\"'.-]+\s*\}?$")
_FAILURES = frozenset({"raise_statement", "throw_statement", "macro_invocation", "call_expression"})
_BRANCHES = frozenset({"if_statement", "if_expression", "elif_clause", "else_clause"})
_RULES_OUT = re.compile(r"\bisinstance\(|\btypeof\b|\btype\(|\binstanceof\b|platform|\bversion|\bos\.name\b|hasattr\(")
_UNSUPPORTED = re.compile(r"\bonly\b|\bunsupported\b|\bnot supported\b|\bsubclass", re.I)
_RETURNED_NAME = re.compile(
    r"(?:return\s+)?(?:(?:str|String)\((?P<text>[A-Za-z_]\w*)\)"
    r"|(?P<name>[A-Za-z_]\w*)(?:\.(?:clone|to_owned|to_string|to_vec|toString)\(\))?)\s*;?"
)
_PLAIN_FUNCTIONS = frozenset({"function_definition", "function_declaration", "function_item"})
_HANDLERS = frozenset({"except_clause", "catch_clause"})


def unfinished_work(run: ReviewedRun) -> list[Finding]:
    """Find stubs, parts that are left out, and what is accepted and ignored."""
    stubs = stub_nodes(run)
    known = {node.id for _, node in stubs}
    level: FindingLevel = "note" if is_admitted(run) else "likely"
    ignored = ignored_input(run, level, lambda node: node.id in known or _is_abstract(node))
    return [*_named_stubs(run, stubs), *_left_out(run), *_put_off(run), *ignored]


def stub_nodes(run: ReviewedRun) -> list[tuple[ChangedFile, Node]]:
    """Return the functions that the run wrote and whose body does nothing."""
    return [(file, node) for file in run.code_files if file.new_tree is not None for node in _stubs(file.new_tree)]


def is_admitted(run: ReviewedRun) -> bool:
    """Return whether the last words of the run say that something is not done."""
    last = run.evidence.activity.actions.final_message
    return last is not None and _ADMITS.search(last.text.replace("*", "")) is not None


def _left_out(run: ReviewedRun) -> Iterator[Finding]:
    """Find branches of otherwise written functions that say they are not implemented."""
    for file in run.code_files:
        tree = file.new_tree
        for node in tree.nodes if tree is not None else ():
            assert tree is not None
            if node.type not in _FAILURES or not tree.own(node) or len(text_of(node)) > _SHORT:
                continue
            function = enclosing(node, tree.language.functions)
            if function is None or not _UNIMPLEMENTED.match(text_of(node)) or _is_abstract(function):
                continue
            if enclosing(node, _HANDLERS) is not None or _is_only_statement(node, function) or _is_guard(node):
                continue
            if _was_unfinished(function, file.old_tree) and not run.spec_names(name_of(function)):
                continue
            level: FindingLevel = "note" if is_admitted(run) else "likely"
            text = f"In {file.path}, a part of {name_of(function) or 'a function'} is not implemented."
            yield finding("stub", level, text, where=tree.at(node), lines=[text_of(node)], criterion="requirements")


def _put_off(run: ReviewedRun) -> Iterator[Finding]:
    """Find results of which a comment on the same line, or on the one above, says that they are not the real ones."""
    for file in run.code_files:
        tree = file.new_tree
        lines = file.new.text.split("\n") if file.new is not None and tree is not None else []
        for node in tree.nodes if tree is not None else ():
            assert tree is not None
            if node.type not in ("return_statement", "return_expression") or not tree.own(node):
                continue
            function = enclosing(node, tree.language.functions)
            number = node.start_point[0]
            near = [line for line in lines[max(number - 1, 0) : number + 1] if _PUT_OFF.search(line)]
            if function is None or not near or node.start_point[0] >= len(lines) or _is_abstract(function):
                continue
            level: FindingLevel = "note" if is_admitted(run) else "likely"
            text = f"In {file.path}, {name_of(function) or 'a function'} puts off a part of its work."
            yield finding("stub", level, text, where=tree.at(node), lines=near, criterion="requirements")


def _was_unfinished(function: Node, old: ParsedFile | None) -> bool:
    """Return whether a function had at least as many parts that are not implemented before, in whatever words."""
    if old is None or not name_of(function):
        return False
    number = len(_UNIMPLEMENTED.findall(text_of(function)))
    earlier = (each for each in old.nodes if each.type in old.language.functions and name_of(each) == name_of(function))
    return any(len(_UNIMPLEMENTED.findall(text_of(each))) >= number for each in earlier)


def _is_guard(node: Node) -> bool:
    """Return whether a failure rules out what is not meant: another type, another system."""
    branch = enclosing(node, _BRANCHES)
    condition = text_of(branch.child_by_field_name("condition")) if branch is not None else ""
    return _RULES_OUT.search(condition) is not None or _UNSUPPORTED.search(text_of(node)) is not None


def _is_only_statement(node: Node, function: Node) -> bool:
    body = function.child_by_field_name("body")
    statements = [each for each in body.named_children if each.type not in COMMENTS] if body is not None else []
    return len([each for each in statements if not _is_docstring(each)]) == 1 and node.parent in (body, *statements)


def _named_stubs(run: ReviewedRun, stubs: list[tuple[ChangedFile, Node]]) -> Iterator[Finding]:
    admitted = is_admitted(run)
    spec = run.spec_text.lower()
    for file, node in stubs:
        name = name_of(node)
        body = text_of(node.child_by_field_name("body"))
        plain = _UNIMPLEMENTED.search(body) is not None
        word = rf"(?<!\w){re.escape(name.lower())}(?!\w)"
        named = len(name) > 2 and re.search(word if plain else rf"`[^`\n]*{word}[^`\n]*`|{word}\s*\(", spec) is not None
        raises = not named and _returned_parameter(node) and _RAISES.search(body) is not None
        drops = _drops_all_input(node) or (node.type in _PLAIN_FUNCTIONS and _uses_no_input(node))
        spoken_of = raises or (not named and drops and _is_spoken_of(name, run))
        named = named or spoken_of
        plain = plain or (_PUT_OFF_INSIDE.search(body) is not None and _uses_no_input(node))
        if (not named and (not plain or _was_unfinished(node, file.old_tree))) or _is_asked_for(node, run):
            continue
        level: FindingLevel = "note"
        if named and not admitted:
            level = "proven" if plain else "likely"
        elif plain and not admitted:
            level = "likely"
        of = ", which the spec speaks of," if spoken_of else ", which the spec names," if named else ""
        of = ", which says that it raises," if raises else of
        what = "is not implemented"
        if not plain and _returned_parameter(node):
            what = "returns what it was given"
        elif not plain and _RETURNS.search(body):
            what = "returns a constant, whatever it is given"
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
        ignores = constant and _ignores_input(node, constant["value"])
        same = _always_the_same(node, tree.language)
        if unimplemented or placeholder or hollow or fails or ignores or same or _returned_parameter(node):
            yield node


def _always_the_same(node: Node, language: SyntaxLanguage) -> bool:
    """Return whether a function that can also fail gives one constant of its own whenever it does not."""
    body = node.child_by_field_name("body")
    inside = [each for each in walk(body) if enclosing(each, language.functions) == node] if body is not None else []
    if any(each.type in _LOOPS for each in inside) or not parameters_of(node):
        return False
    given = [
        text_of(each).strip().rstrip(";") for each in inside if each.type in ("return_statement", "return_expression")
    ]
    kept = {match["value"] for each in given if (match := _GIVES_CONSTANT.fullmatch(each)) is not None}
    fails = [each for each in given if _FAILED_RETURN.search(each)]
    code = text_of(body)
    computed = any(
        each.isidentifier() and len(re.findall(rf"\b{each}\b", code)) > len(given) - len(fails) for each in kept
    )
    return (
        len(kept) == 1
        and not computed
        and len(fails) >= 1
        and len(given) == len(fails) + sum(map(bool, map(_GIVES_CONSTANT.fullmatch, given)))
    )


def _returned_parameter(node: Node) -> bool:
    """Return whether a function does nothing but return a parameter of its own, which is no accessor's."""
    body = node.child_by_field_name("body")
    if body is not None and len(body.named_children) == 1 and body.named_children[0].type == "statement_list":
        body = body.named_children[0]
    statements = [each for each in body.named_children if each.type not in COMMENTS] if body is not None else []
    statements = [each for each in statements if not _is_docstring(each)]
    if body is not None and node.type == "arrow_function" and body.type != "statement_block":
        statements = [body]
    if len(statements) != 1:
        return False
    match = _RETURNED_NAME.fullmatch(text_of(statements[0]).strip())
    return match is not None and (match["text"] or match["name"]) in parameters_of(node)


def _unused_parameters(node: Node, body: str) -> bool:
    """Return whether a function that calls another one drops a parameter: it adds nothing to what was there."""
    parameters = text_of(node.child_by_field_name("parameters")).strip("()")
    if re.search(r"\bself\b|\bthis\b|[{}*]", parameters):
        return False
    names = [re.match(r"\s*(?:mut\s+)?(\w+)", each) for each in parameters.split(",")]
    given = [match[1] for match in names if match is not None and not match[1].startswith("_")]
    return len(given) > 1 and any(re.search(rf"\b{re.escape(name)}\b", body) is None for name in given)


def _ignores_input(node: Node, value: str) -> bool:
    """Return whether a function of one constant has parameters to use; a method may have them for others' sake."""
    given = re.findall(
        r"(?:^|[(,])\s*(?:&?(?:mut\s+)?)?([A-Za-z_]\w*)", text_of(node.child_by_field_name("parameters"))
    )
    given = [name for name in given if name not in ("self", "cls", "this")]
    method = "self" in text_of(node.child_by_field_name("parameters")) or node.type == "method_definition"
    telling = re.search(r"[1-9]|\"[^\"]|'[^']", value) is not None
    return bool(given) and (telling or _drops_all_input(node) if method else True)


def _drops_all_input(node: Node) -> bool:
    """Return whether a function marks every parameter as unused, and is not bound to them by a trait."""
    given = re.findall(
        r"(?:^|[(,])\s*(?:mut\s+)?([A-Za-z_]\w*)\s*[:,)]", text_of(node.child_by_field_name("parameters"))
    )
    given = [name for name in given if name not in ("self", "cls", "this")]
    block = enclosing(node, frozenset({"impl_item"}))
    is_bound = block is not None and block.child_by_field_name("trait") is not None
    return bool(given) and all(name.startswith("_") for name in given) and not is_bound


def _uses_no_input(node: Node) -> bool:
    """Return whether a function has parameters, and its code mentions none of them."""
    body = node.child_by_field_name("body")
    names = set(parameters_of(node)) - {"self", "cls", "this"}
    used = {text_of(each) for each in walk(body) if each.type.endswith("identifier")} if body is not None else set()
    return bool(names) and not names & used


def _is_spoken_of(name: str, run: ReviewedRun) -> bool:
    """Return whether the spec has the words of a name, in whatever form: `strands` of "stranded seats"."""
    words = stems(re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", name))
    return any(len(word) >= _TELLING for word in words) and words <= stems(run.spec_text)


def _is_asked_for(node: Node, run: ReviewedRun) -> bool:
    """Return whether the spec says of a function that it does nothing, or always gives what it gives."""
    body = node.child_by_field_name("body")
    constants = [_CONSTANT.fullmatch(text_of(each).strip()) for each in body.named_children] if body is not None else []
    values = {"none" if each["value"] in _NOTHING else each["value"].lower() for each in constants if each is not None}
    word = re.compile(rf"(?<!\w){re.escape(name_of(node))}(?!\w)")
    for sentence in re.split(r"(?<=[.;])\s|\n", run.spec_text):
        if not word.search(sentence):
            continue
        words = {"none" if each in _NOTHING else each.lower() for each in re.findall(r"\w+", sentence)}
        if re.search(r"\balways\b", sentence) and values & words:
            return True
        if re.search(r"\b(?:no-?op|does nothing)\b", sentence, re.I) and not values - {"none"}:
            return True
    return False


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
            if _ABSTRACT.search(head) is not None or _STAND_IN.search(head) is not None:
                return True
            return _is_overridden(around, name_of(node))
        if around.type in ("trait_item", "interface_declaration"):
            return True
    return False


def _is_overridden(type_: Node, method: str) -> bool:
    """Return whether another class of the same file extends this one and implements the method."""
    root = next((around for around in ancestors(type_) if around.parent is None), type_)
    extends = re.compile(rf"class \w+\b.*\b{re.escape(name_of(type_))}\b")
    return any(
        name_of(each) == method and _UNIMPLEMENTED.search(text_of(each)) is None
        for other in walk(root)
        if other.type == type_.type and other != type_ and extends.match(_head(other))
        for each in walk(other)
    )


def _head(node: Node) -> str:
    text = node.text.decode("utf-8", "replace")[:300] if node.text is not None else ""
    return text.split("\n")[0]
