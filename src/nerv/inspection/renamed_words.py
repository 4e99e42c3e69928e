"""Words of strings, and files in which some of them are exchanged for others.

A program that works something out does the same with other names. One that has looked its answers up in its tests knows
only theirs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from nerv.inspection.languages import SyntaxLanguage, language_of, parse, row, text_of, walk
from nerv.inspection.source import LARGEST
from nerv.inspection.values import ancestors

if TYPE_CHECKING:
    from tree_sitter import Node

_CONTENTS = frozenset(
    {"string_content", "string_fragment", "interpreted_string_literal_content", "raw_string_literal_content"}
)
_TOKEN = re.compile(r"\\.|[A-Za-z][A-Za-z0-9]*", re.S)
"""An escape sequence, or a word."""
_CALLS = frozenset({"call", "call_expression", "method_invocation", "macro_invocation", "new_expression"})
_NO_CALL = re.compile(
    r"(?i)assert|expect|equal|require|should|^(?:vec|format|dict|list|set|tuple|str|some|ok|err|from|into|to_string|to_owned"
    r"|String|Map|Set|append|parametrize|each|bytes|stringify|dumps|println|print)$"
)
"""Calls that check or build values: what stands in them is not given to the code."""
_ASIDE = frozenset({"match_pattern", "case_pattern", "raise_statement", "throw_statement"})
_CASES = frozenset({"switch_case", "expression_case"})
_OPERATIONS = frozenset({"comparison_operator", "binary_expression"})
_COMPARISONS = frozenset({"==", "!=", "===", "!==", "in", "not in", "is"})
_MESSAGE = re.compile(r"(?i)err|panic|exception|log|print|warn|fail|exit")
_TESTS = frozenset({"test", "it", "describe", "suite", "context", "subTest", "Run"})
_KEY = re.compile(
    r"\[\s*[\"'`]([A-Za-z]\w*)[\"'`]\s*\]"
    r"|\.(?:get|pop|setdefault|has|set|hasOwn|entry|getItem)\(\s*[\"'`]([A-Za-z]\w*)[\"'`]"
)
_TAG = re.compile(r"\b\w+:\"([A-Za-z]\w*)")


def written_words(path: str, text: str, lines: Collection[int]) -> frozenset[str]:
    """Return the words in strings of some lines (from 1) of a file that its functions may return.

    Keys by which something is looked up, what is only compared, and messages of errors are left out.
    """
    language = language_of(path)
    nodes = [node for node in _contents(path, text) if row(node) + 1 in lines]
    words = {word for node in nodes if language is not None and _is_produced(node, language) for word in _words(node)}
    keys = {word for match in _KEY.finditer(text) for word in match.groups()}
    return frozenset(words - keys - set(_TAG.findall(text)))


def flowing_words(path: str, text: str, lines: Collection[int]) -> frozenset[str]:
    """Return the words that a test gives to a call and has in another string as well, as what should come out."""
    language = language_of(path)
    given: dict[int, set[str]] = {}
    stated: dict[int, set[str]] = {}
    for node in _contents(path, text):
        if row(node) + 1 in lines and language is not None:
            around = list(ancestors(node))
            group = given if any(_is_call(each) for each in around) else stated
            group.setdefault(_test_around(around, language), set()).update(_words(node))
    return frozenset(word for test, words in given.items() for word in words & stated.get(test, set()))


def other_words(path: str, text: str) -> frozenset[str]:
    """Return the words of a file outside of its strings."""
    content = bytearray(text.encode("utf-8", "replace"))
    for node in _contents(path, text):
        content[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
    return frozenset(re.findall(r"[A-Za-z][A-Za-z0-9]*", content.decode("utf-8", "replace")))


def rename_words(path: str, text: str, names: Mapping[str, str], lines: Collection[int]) -> bytes:
    """Return a file with these words exchanged in the strings of some lines (from 1)."""
    content = text.encode("utf-8", "replace")
    pieces, done = [], 0
    for node in _contents(path, text):
        if row(node) + 1 not in lines:
            continue
        renamed = _TOKEN.sub(lambda match: names.get(match[0], match[0]), text_of(node))
        pieces += [content[done : node.start_byte], renamed.encode()]
        done = node.end_byte
    return b"".join((*pieces, content[done:]))


def new_names(words: Collection[str], taken: Collection[str]) -> dict[str, str]:
    """Return another name for each word that has one: at the same place of the alphabet, and as long if possible."""
    found: dict[str, str] = {}
    known = {*words, *taken}
    for word in sorted(words):
        for other in _neighbours(word):
            if other not in known and all((word < each) == (other < each) for each in known if each != word):
                found[word] = other
                known.add(other)
                break
    return found


def _neighbours(word: str) -> Iterator[str]:
    """Yield words that could take the place of one: of the same length first."""
    last = word[-1]
    for step in (1, -1, 2, -2, 3, -3, 4, -4):
        other = chr(ord(last) + step)
        if re.fullmatch("[a-z]" if last.islower() else "[A-Z]" if last.isupper() else "[0-9]", other):
            yield word[:-1] + other
    for letter in "abc":
        yield word + letter


def _words(node: Node) -> Iterator[str]:
    for match in _TOKEN.finditer(text_of(node)):
        if not match[0].startswith("\\"):
            yield match[0]


def _is_call(node: Node) -> bool:
    """Return whether a node is a call of something else than a check; in Rust's macros, the arguments of one."""
    if node.type == "token_tree":
        called = node.prev_sibling
        return called is not None and called.type == "identifier" and _NO_CALL.search(text_of(called)) is None
    if node.type not in _CALLS:
        return False
    called = (
        node.child_by_field_name("function") or node.child_by_field_name("macro") or node.child_by_field_name("name")
    )
    name = re.split(r"\W+", text_of(called))[-1] if called is not None else ""
    return _NO_CALL.search(name) is None and name not in _TESTS


def _is_produced(node: Node, language: SyntaxLanguage) -> bool:
    """Return whether a string stands in a function, and is neither compared nor part of a message."""
    inner = node
    for around in ancestors(node):
        if around.type in language.functions:
            return True
        if around.type in _ASIDE or (around.type in _CASES and around.child_by_field_name("value") == inner):
            return False
        if around.type in _OPERATIONS and any(each.type in _COMPARISONS for each in around.children):
            return False
        if around.type in _CALLS and _MESSAGE.search(text_of(around).split("(")[0]):
            return False
        inner = around
    return False


def _test_around(around: list[Node], language: SyntaxLanguage) -> int:
    """Return the id of the outermost function around a node that is no group of tests; 0 if there is none."""
    for node in reversed(around):
        call = node.parent.parent if node.parent is not None else None
        if node.type in language.functions and not re.match(r"(?:describe|suite|context)\b", text_of(call)[:20]):
            return node.id
    return 0


def _contents(path: str, text: str) -> Iterator[Node]:
    language = language_of(path)
    if language is None or len(text) > LARGEST:
        return
    for node in walk(parse(language, text)):
        if node.type in _CONTENTS and not _is_documentation(node):
            yield node


def _is_documentation(node: Node) -> bool:
    string = node.parent
    return string is not None and string.parent is not None and string.parent.type == "expression_statement"
