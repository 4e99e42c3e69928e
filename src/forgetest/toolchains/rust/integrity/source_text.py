"""Findings in a sample's text: attempts at the tests, their runner or their assertions.

None of these attempts can succeed, found or not: the verdict channel and the controls see to that. This module gives
them names. What an honest author might also write is only noted; what no honest author writes makes the sample
incorrect. Every search takes time linear in the length of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator

from forgetest.toolchains.rust.integrity import hijacked_methods, paused_clock
from forgetest.toolchains.rust.source.ambiguity import ambiguity
from forgetest.toolchains.rust.source.endings import dangling_end
from forgetest.toolchains.rust.source.lexer import (
    Token,
    closing_bracket,
    closing_brackets,
    tokens,
    without_test_modules,
)
from forgetest.toolchains.rust.source.literals import string_value
from forgetest.toolchains.rust.source.outline import outline
from forgetest.toolchains.rust.source.recent_texts import cached_for_recent_texts
from forgetest.verdict import NOT_LINTED, Concern, Finding

_ASSERTIONS = "assert|assert_eq|assert_ne|debug_assert|debug_assert_eq|debug_assert_ne|panic|unreachable|matches"
_MACROS = "vec|format|format_args|print|println|eprint|eprintln|write|writeln|pin|dbg|todo|unimplemented|concat|env"
_PRIMITIVES = "bool|char|str|f32|f64|[iu](?:8|16|32|64|128|size)"
_PLACES = re.compile(r"/proc/(self|thread-self|\d+)\b|/dev/fd\b|/rt/(launcher|lib)|/tc/bin\b")
"""Paths to a process itself, its descriptors, or our launcher. `/x` and `/w` are left out: they are common examples."""
_RESULTS = re.compile(
    r"\btest result: |\btest \S+ \.\.\. ok\b|\"event\": *\"(ok|started)\"|\brunning \d+ tests?\b|^ready\n\d+ passed ",
    re.MULTILINE,
)

_PATTERNS = (
    ("shadowed_std", False, "mod", r"\bmod (std|core|alloc) \{", "has a module of its own called {}"),
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
        False,
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
        False,
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
_WORDS_IN_FUNCTIONS = frozenset(word for _, _, needed, _, _ in _IN_FUNCTIONS for word in needed.split())


def findings(
    code: str,
    test_text: str,
    in_scope: Collection[str],
    *,
    compiles: bool,
    edition: str | None = None,
    reference: str | None = None,
) -> list[Finding]:
    """Return what the text attempts; `in_scope` are names that the tests take from it, traits included."""
    noted = list(_in_text(code))
    if compiles:
        found = without_test_modules(tokens(code))
        noted += _constant_equality(found)
        noted += hijacked_methods.findings(found, test_text, in_scope, reference)
        noted += hijacked_methods.stand_ins(found, test_text, reference)
        noted += _written_in_macros(found)
        if reason := ambiguity(code, edition):
            detail = f"has {reason}, which the compiler may read differently"
            noted.append(Finding(kind="ambiguous_text", concern="unsound", detail=detail, forbids=False))
    if left := dangling_end(code):
        noted.append(
            Finding(kind="dangling_end", detail=f"ends in {left}, which would swallow what follows", forbids=False)
        )
    return list(dict.fromkeys(noted))


@cached_for_recent_texts(1 << 20)
def _in_text(code: str) -> tuple[Finding, ...]:
    """Return what the text alone shows."""
    found = without_test_modules(tokens(code))
    words, there = _words(found), _plain_names(found)
    noted = list(_by_patterns(_PATTERNS, there, words))
    if not there.isdisjoint(_WORDS_IN_FUNCTIONS):
        outside = _without_main(found)
        noted += _by_patterns(_IN_FUNCTIONS, _plain_names(outside), _words(outside))
    noted += _shadowing_macros(words)
    noted += _literals(found, reads_files="fs ::" in words)
    noted += paused_clock.findings(found)
    return tuple(noted)


def prints_results(output: str) -> bool:
    """Return whether the output looks like a test runner's."""
    return _RESULTS.search(output) is not None


def _by_patterns(
    patterns: tuple[tuple[str, bool, str, str, str], ...], there: Collection[str], words: str
) -> Iterator[Finding]:
    for kind, forbids, needed, pattern, detail in patterns:
        if any(word in there for word in needed.split()):
            for match in re.finditer(pattern, words):
                concern: Concern = "unsafe" if kind == "raw_descriptor" else "forgery"
                yield Finding(kind=kind, detail=detail.format(match[1]), forbids=forbids, concern=concern)


def _shadowing_macros(words: str) -> Iterator[Finding]:
    """Find macros with names of std's. The tests never use them."""
    for match in re.finditer(rf"\bmacro_rules ! (?:r#)?({_ASSERTIONS}|{_MACROS}) [{{(\[]", words):
        kind = "shadowed_assertion" if re.fullmatch(_ASSERTIONS, match[1]) else "shadowed_macro"
        yield Finding(kind=kind, detail=f"defines its own {match[1]}!", forbids=False)


def _literals(found: list[Token], *, reads_files: bool) -> Iterator[Finding]:
    """Find strings that name our files or imitate a test runner's output."""
    for token in found:
        if '"' not in token.text or len(token.text) < 4:
            continue
        text = string_value(token.text)
        if place := _PLACES.search(text):
            yield Finding(kind="reaches_for_harness", detail=f"mentions {place[0]}", forbids=False)
        elif reads_files and re.match(r"/[wx](/|$)", text):
            yield Finding(kind="reaches_for_harness", detail=f"mentions {text[:2]}", forbids=False)
        if prints_results(text):
            yield Finding(kind="forged_output", detail="holds text like a test runner's result", forbids=False)


def _constant_equality(found: list[Token]) -> Iterator[Finding]:
    """Find implementations of PartialEq that look at nothing. Values of a type without fields equal each other."""
    if not any(token.text == "PartialEq" for token in found):
        return
    selves = [index for index, token in enumerate(found) if token.text == "self"]
    without_fields = {
        name.text
        for token, name, after in zip(found, found[1:], found[2:], strict=False)
        if token.text == "struct" and after.text == ";"
    }
    for item in outline(found):
        owner = item.parent
        if item.name not in ("eq", "ne") or owner is None or "PartialEq" not in owner.head:
            continue
        looks = bisect_left(selves, item.end) > bisect_left(selves, item.start)
        behind = owner.head[owner.head.index("PartialEq") + 1 :]
        compares_units = behind[:1] == ["for"] and not without_fields.isdisjoint(behind)
        if not looks and not compares_units:
            detail = f"its `{item.name}` compares nothing"
            yield Finding(kind="equal_to_everything", detail=detail, forbids=False)


def _written_in_macros(found: list[Token]) -> Iterator[Finding]:
    """Find samples whose macros hold statements or functions: no linter looks into those."""
    if not any(token.text == "macro_rules" for token in found):
        return
    closed = closing_brackets(found)
    inside = 0
    index = 0
    while index < len(found) - 3:
        is_definition = found[index].text == "macro_rules" and found[index + 3].text in ("(", "[", "{")
        end = closed[index + 3] if is_definition else index
        if not _LINTED_WORDS.isdisjoint(token.text for token in found[index:end]):
            inside += end - index
        index = end + 1
    if inside >= _LONG_MACROS:
        detail = "has statements or functions in macros, which are not linted"
        yield Finding(kind=NOT_LINTED, detail=detail, forbids=False)


_LINTED_WORDS = frozenset({"fn", "let", "for", "while", "loop", "if", "match", "return"})
_LONG_MACROS = 40
"""Tokens; shorter macros hide nothing that a linter would say much about."""


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


def _plain_names(found: list[Token]) -> set[str]:
    """Return all words, raw names as the names that they stand for."""
    texts = {token.text for token in found}
    return texts | {text.removeprefix("r#") for text in texts if text.startswith("r#")}


def _words(found: list[Token]) -> str:
    """Join the tokens with blanks, without the contents of strings, so that no text passes for code."""
    return " ".join('""' if '"' in token.text else token.text for token in found)
