"""Operators of a sample's own, and whether they could decide by what a test expects.

A type of the sample's own can be compared with an expected value, and an operator that is handed the value can say yes
or no by it. Such a sample is asked every control. It could still guess: no number of controls makes a lucky guess at a
single value less likely than one in a thousand. So it is not verified, unless the tests see no type of its own.
"""

from __future__ import annotations

from forgetest.toolchains.rust.source.lexer import tokens

_DECIDING = frozenset({"PartialEq", "PartialOrd", "Ord", "Sub"})
"""Traits whose operators are handed what a test expects: it compares by them, or looks at a difference."""
# fmt: off
_SHOWING = frozenset(
    {
        "Not", "Neg", "Add", "Mul", "Div", "Rem", "BitAnd", "BitOr", "BitXor", "Deref", "Index", "Iterator",
        "IntoIterator", "Borrow", "AsRef", "Display",
    }
)
# fmt: on
"""Other traits through which tests look at values of a sample's own types."""
_LONGEST_HEAD = 200
"""Tokens of the head of an implementation."""


def has_own_operators(code: str) -> bool:
    """Return whether a sample has operators of its own, or macros that could make some."""
    found = _words(code)
    return "macro_rules" in found or _implements(found, _DECIDING | _SHOWING)


def can_decide(code: str) -> bool:
    """Return whether an operator of the sample's own could be handed an expected value.

    A macro could put together anything, but not without the trait's name.
    """
    found = _words(code)
    if "macro_rules" in found:
        return not _DECIDING.isdisjoint(_without_derives(found))
    return _implements(found, _DECIDING)


def _words(code: str) -> list[str]:
    if "impl" not in code and "macro_rules" not in code:
        return []
    return [token.text.removeprefix("r#") for token in tokens(code)]


def _implements(found: list[str], traits: frozenset[str]) -> bool:
    for index, text in enumerate(found):
        if text == "impl":
            head = found[index : index + _LONGEST_HEAD]
            head = head[: head.index("{")] if "{" in head else head
            if "for" in head and not traits.isdisjoint(head):
                return True
        elif text == "as" and found[index - 1] in traits and found[index + 1 : index + 2] != ["_"]:
            return True  # imported under another name
    return False


def _without_derives(found: list[str]) -> list[str]:
    kept, index = [], 0
    while index < len(found):
        if found[index] == "derive" and found[index + 1 : index + 2] == ["("]:
            while index < len(found) and found[index] != ")":
                index += 1
        else:
            kept.append(found[index])
        index += 1
    return kept
