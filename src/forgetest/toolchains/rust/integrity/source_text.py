"""Findings in a sample's text: attempts at the tests, their runner or their assertions.

None of these attempts can succeed, found or not: the verdict channel sees to that. This module gives them names. What
an honest author might also write is only noted; what no honest author writes makes the sample incorrect.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from forgetest.toolchains.rust.source.endings import dangling_end
from forgetest.toolchains.rust.source.lexer import (
    Token,
    closing_bracket,
    tokens,
    without_test_modules,
)
from forgetest.toolchains.rust.source.literals import string_value
from forgetest.verdict import Concern, Finding

_ASSERTIONS = "assert|assert_eq|assert_ne|debug_assert|debug_assert_eq|debug_assert_ne|panic|unreachable|matches"
_MACROS = "vec|format|format_args|print|println|eprint|eprintln|write|writeln|pin|dbg|todo|unimplemented|concat|env"
_PRIMITIVES = "bool|char|str|f32|f64|[iu](?:8|16|32|64|128|size)"
# fmt: off
_METHODS = frozenset(
    {
        "as_slice", "as_str", "clone", "cmp", "collect", "contains", "count", "eq", "expect", "get", "get_mut",
        "into_iter", "is_empty", "is_err", "is_none", "is_ok", "is_some", "iter", "len", "ne", "next", "parse",
        "partial_cmp", "sort", "to_owned", "to_string", "to_vec", "unwrap", "unwrap_err",
    }
)
# fmt: on
"""Methods of std that tests use to inspect results."""

_PLACES = re.compile(r"/proc/(self|thread-self|\d+)\b|/dev/fd\b|/rt/(launcher|lib)|/tc/bin\b")
"""Paths to a process itself, its descriptors, or our launcher. `/x` and `/w` are left out: they are common examples."""
_RESULTS = re.compile(
    r"\btest result: |\btest \S+ \.\.\. ok\b|\"event\": *\"(ok|started)\"|\brunning \d+ tests?\b|^ready\n\d+ passed ",
    re.MULTILINE,
)

_PATTERNS = (
    ("shadowed_std", True, "mod", r"\bmod (std|core|alloc) \{", "has a module of its own called {}"),
    ("shadowed_std", True, "self", r"\bextern crate self as (std|core|alloc)\b", "passes itself off as {}"),
    ("shadowed_std", False, "no_implicit_prelude", r"# ! \[ (no_implicit_prelude) \]", "does without the prelude"),
    (
        "shadowed_std",
        False,
        "struct enum union type",
        rf"\b(?:struct|enum|union|type) ({_PRIMITIVES})\b",
        "has a type of its own called {}",
    ),
    (
        "shadowed_assertion",
        True,
        "as",
        rf"\bas (?:r#)?({_ASSERTIONS})(?= [;,}}])",
        "imports something else as {}",
    ),
    (
        "reads_tests",
        True,
        "include include_str include_bytes",
        r"\b(include|include_str|include_bytes) (?:!|as\b)",
        "takes a file in by {}!",
    ),
    ("reads_tests", True, "path", r"# \[ (path) =", "takes a module from another file"),
    (
        "reads_environment",
        False,
        "env option_env",
        r"\b(env|option_env) ! [({\[]",
        "reads the compiler's environment by {}!",
    ),
    (
        "own_harness",
        True,
        "test_runner custom_test_frameworks reexport_test_harness_main",
        r"\b(test_runner|custom_test_frameworks|reexport_test_harness_main)\b",
        "has {}",
    ),
    (
        "configured_away",
        False,
        "cfg",
        r"^(?:# ! \[ (?!cfg \()[^]]* \] )*# ! \[ (cfg) \(",
        "is there only in some builds",
    ),
    (
        "raw_descriptor",
        True,
        "from_raw_fd borrow_raw",
        r"\b(from_raw_fd|borrow_raw)\b",
        "takes hold of a descriptor by its number ({})",
    ),
)
"""Kind, whether it makes the sample incorrect, words of which at least one must occur, pattern, detail."""
_IN_FUNCTIONS = (
    ("early_exit", False, "process", r"\bprocess :: (exit|abort)\b", "calls process::{}"),
    ("panic_hook", False, "set_hook take_hook", r"\b(set_hook|take_hook)\b", "touches the panic hook ({})"),
    ("starts_programs", False, "Command", r"\b(Command) :: new\b", "starts other programs"),
)
"""The same, for things that a `main` may well do: it is never called here."""


def findings(code: str, test_text: str, in_scope: Collection[str], *, compiles: bool) -> list[Finding]:
    """Return what the text attempts; `in_scope` are names that the tests take from it, traits included."""
    found = without_test_modules(tokens(code))
    words = _words(found)
    noted = list(_by_patterns(_PATTERNS, found, words))
    outside = _without_main(found)
    noted += _by_patterns(_IN_FUNCTIONS, outside, _words(outside))
    noted += _shadowing_macros(words)
    noted += _literals(found, reads_files="fs ::" in words)
    # only for code that compiles: endlessly nested blocks would take forever
    if compiles and "PartialEq" in words:
        noted += _constant_equality(found)
    if compiles and " trait " in f" {words} ":
        noted += _hijacking_traits(found, test_text, in_scope)
    if left := dangling_end(code):
        noted.append(
            Finding(kind="dangling_end", detail=f"ends in {left}, which would swallow what follows", forbids=False)
        )
    return list(dict.fromkeys(noted))


def prints_results(output: str) -> bool:
    """Return whether the output looks like a test runner's."""
    return _RESULTS.search(output) is not None


def _by_patterns(
    patterns: tuple[tuple[str, bool, str, str, str], ...], found: list[Token], words: str
) -> Iterator[Finding]:
    there = {token.text.removeprefix("r#") for token in found}
    for kind, forbids, needed, pattern, detail in patterns:
        if not there.isdisjoint(needed.split()):
            for match in re.finditer(pattern, words):
                concern: Concern = "foreign" if kind == "raw_descriptor" else "forgery"
                yield Finding(kind=kind, detail=detail.format(match[1]), forbids=forbids, concern=concern)


def _shadowing_macros(words: str) -> Iterator[Finding]:
    """Find macros with names of std's. One that the sample uses and does not export is its own affair."""
    used = set(re.findall(r"(?<!macro_rules ! )\b(\w+) ! [{(\[]", words))
    for match in re.finditer(
        rf"(# \[ macro_export \] )?\bmacro_rules ! (?:r#)?({_ASSERTIONS}|{_MACROS}) [{{(\[]", words
    ):
        name = match[2]
        if not re.fullmatch(_ASSERTIONS, name):
            yield Finding(kind="shadowed_macro", detail=f"defines its own {name}!", forbids=False)
            continue
        forbids = match[1] is not None or name not in used
        yield Finding(kind="shadowed_assertion", detail=f"defines its own {name}!", forbids=forbids)


def _literals(found: list[Token], *, reads_files: bool) -> Iterator[Finding]:
    """Find strings that name our files or imitate a test runner's output."""
    for token in found:
        if '"' not in token.text or len(token.text) < 4:
            continue
        text = string_value(token.text)
        if place := _PLACES.search(text):
            yield Finding(kind="reaches_for_harness", detail=f"mentions {place[0]}")
        elif reads_files and re.match(r"/[wx](/|$)", text):
            yield Finding(kind="reaches_for_harness", detail=f"mentions {text[:2]}", forbids=False)
        if prints_results(text):
            yield Finding(kind="forged_output", detail="holds text like a test runner's result", forbids=False)


def _constant_equality(found: list[Token]) -> Iterator[Finding]:
    """Find implementations of PartialEq that look at nothing."""
    for head, body in _items_with_bodies(found, "impl"):
        if "PartialEq" not in head:
            continue
        for function, inside in _items_with_bodies(body, "fn"):
            texts = [token.text for token in inside]
            if function[1:2] in (["eq"], ["ne"]) and "self" not in texts:
                yield Finding(kind="equal_to_everything", detail=f"its `{function[1]}` compares nothing")


def _hijacking_traits(found: list[Token], test_text: str, in_scope: Collection[str]) -> Iterator[Finding]:
    """Find traits implemented for foreign types, with methods that would take precedence over std's."""
    called = set(re.findall(r"\.\s*(\w+)\s*(?:\(|::)", test_text)) & _METHODS
    own = {after.text for token, after in pairwise(found) if token.text in ("struct", "enum", "union")}
    methods: dict[str, set[str]] = {}
    for head, body in _items_with_bodies(found, "trait"):
        methods[head[1]] = {function[1] for function, _ in _items_with_bodies(body, "fn", bodiless=True)} & called
        if called and ("$" in (head[1], *_outer(body)) or "!" in _outer(body)):
            yield Finding(
                kind="shadowed_method", detail="puts a trait together by macros, where nobody sees its methods"
            )
    for head, _ in _items_with_bodies(found, "impl"):
        if "for" not in head:
            continue
        at = len(head) - 1 - head[::-1].index("for")
        name = next((word for word in head[:at] if word in methods), None)
        target = head[at + 1 : head.index("where", at) if "where" in head[at:] else len(head)]
        if name is None or not methods[name] or (own - set(head[:at])) & set(target):
            continue
        blanket = len([word for word in target if word.isidentifier()]) == 1 and target[-1] in head[:at]
        seen = name in in_scope
        if blanket or seen:
            listed = ", ".join(sorted(methods[name]))
            detail = f"the trait {name} brings other people's types its own {listed}"
            yield Finding(kind="shadowed_method", detail=detail, forbids=seen)


def _outer(body: list[Token]) -> Iterator[str]:
    """Yield the words of a block that are in no inner block."""
    depth = 0
    for token in body:
        depth += (token.text == "{") - (token.text == "}")
        if depth == 0:
            yield token.text


def _items_with_bodies(
    found: list[Token], keyword: str, *, bodiless: bool = False
) -> Iterator[tuple[list[str], list[Token]]]:
    """Yield each item that begins with a keyword: the words up to its block, and the tokens inside."""
    index = 0
    while index < len(found):
        if found[index].text != keyword or (index and found[index - 1].text == "$"):
            index += 1
            continue
        opening = index
        while opening < len(found) and found[opening].text not in ("{", ";"):
            opening += 1
        head = [token.text for token in found[index:opening]]
        if opening == len(found) or found[opening].text == ";":
            if bodiless and len(head) > 1:
                yield head, []
            index = opening + 1
            continue
        end = closing_bracket(found, opening)
        if len(head) > 1:
            yield head, found[opening + 1 : end]
        index = end + 1 if keyword == "fn" else opening + 1


def _without_main(found: list[Token]) -> list[Token]:
    """Leave out `fn main() { … }`."""
    texts = [token.text for token in found]
    kept: list[Token] = []
    position = 0
    for index, text in enumerate(texts):
        if text == "fn" and index >= position and texts[index + 1 : index + 4] == ["main", "(", ")"]:
            opening = next((i for i in range(index, min(index + 12, len(texts))) if texts[i] == "{"), None)
            if opening is not None:
                kept += found[position:index]
                position = closing_bracket(found, opening) + 1
    return kept + found[position:]


def _words(found: list[Token]) -> str:
    """Join the tokens with blanks, without the contents of strings, so that no text passes for code."""
    return " ".join('""' if '"' in token.text else token.text for token in found)
