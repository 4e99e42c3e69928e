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
_BEFORE_TYPE = frozenset({":", "->", "(", "<", "&", ",", "=", "+", "mut"})
"""What stands before `impl Trait`, and never before an implementation."""
_AFTER_HEAD = frozenset({"struct", "enum", "union", "trait", "mod", "let", "return"})
"""Words that no head of an implementation has. Brackets, `;`, `const` and function pointers it may have."""


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
        return any(word.removeprefix("r#") in _DECIDING for word in _without_derives(found))
    return _implements(found, _DECIDING)


def _words(code: str) -> list[str]:
    if "impl" not in code and "macro_rules" not in code:
        return []
    return [token.text for token in tokens(code)]


def _implements(found: list[str], traits: frozenset[str]) -> bool:
    """Return whether one of the traits stands between `impl` and `for`, or is imported under another name."""
    in_head = named = False
    for index, text in enumerate(found):
        before, after = found[index - 1], found[index + 1] if index + 1 < len(found) else ""
        if text == "impl":
            is_type = index > 0 and (before in _BEFORE_TYPE or before.startswith("'"))
            in_head, named = in_head or not is_type, named and is_type
        elif in_head and text == "for" and named:
            return True
        elif text in _AFTER_HEAD or (text == "fn" and after != "("):
            in_head = False
        elif text.removeprefix("r#") in traits:
            named = named or before not in (":", "+")  # a bound on a parameter
            if after == "as" and found[index + 2 : index + 3] != ["_"]:
                return True
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
