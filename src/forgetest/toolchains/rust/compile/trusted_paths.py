"""Rewrites paths in trusted text so that they cannot resolve to anything a sample defines.

Tests and signature checks are compiled inside the sample's crate, where private items are visible and where, for that
very reason, the sample could shadow what they use. So every macro and path of the standard library and of the case's
dependencies is rewritten to start at a crate whose name the sample cannot know. That name depends on the sample; until
it is known, placeholders stand for it.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from forgetest.toolchains.rust.source.lexer import Token

SECRET = "\0"  # noqa: S105  (not a password)
"""Placeholder for the name that the sample cannot know. NUL cannot be part of Rust text."""
SAMPLE_ROOT = "\1"
"""Placeholder for the path of the module that holds the sample: `crate`, unless it shares a crate with others."""

# fmt: off
_MACROS = frozenset(
    {
        "assert", "assert_eq", "assert_ne", "cfg", "column", "compile_error", "concat", "dbg", "debug_assert",
        "debug_assert_eq", "debug_assert_ne", "env", "eprint", "eprintln", "file", "format", "format_args",
        "include", "include_bytes", "include_str", "line", "matches", "module_path", "option_env", "panic",
        "print", "println", "stringify", "thread_local", "todo", "unimplemented", "unreachable", "vec", "write",
        "writeln",
    }
)
OWN_ASSERTIONS = frozenset(
    {
        "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne",
    }
)
"""The macros that the carrier crate has its own version of."""
_PRELUDE = frozenset(
    {
        "Some", "None", "Ok", "Err", "Option", "Vec", "String", "Box", "ToString", "ToOwned", "Into", "From",
        "Iterator", "IntoIterator", "Default", "Clone", "PartialEq", "PartialOrd",
    }
)
"""Names of the prelude that no honest module replaces."""
_OUTWARD = frozenset({"super", "self", "crate", "::"})
_BEFORE_PATHS = frozenset(
    {
        "as", "async", "break", "const", "dyn", "else", "for", "if", "impl", "in", "match", "move", "mut", "pub", "ref",
        "return", "static", "unsafe", "use", "where", "while",
    }
)
# fmt: on
"""Keywords that a path can follow: `use ::std::fmt` starts a new path where `x::std::fmt` continues one."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The replacement of a range of text."""

    start: int
    end: int
    text: str


def path_edits(found: Sequence[Token], crates: Collection[str], *, own_assertions: bool = True) -> Iterator[Edit]:
    """Redirect macros and paths of std, of `crates` and of `crate` itself.

    `own_assertions`: to our own assertions in the place of std's.
    """
    ours = OWN_ASSERTIONS if own_assertions else frozenset()
    own = {found[index + 2].text for index, token in enumerate(found[:-2]) if token.text == "macro_rules"}
    macros = _MACROS - own
    for index, token in enumerate(found):
        after = text_at(found, index + 1)
        if after not in ("!", "::"):
            continue
        before = text_at(found, index - 1)
        has_leading_colons = before == "::" and not _ends_path(found, index - 2)
        if before in ("::", ".") and not has_leading_colons:
            continue
        start = found[index - 1].start if has_leading_colons or before == "$" else token.start
        if token.text in macros and after == "!" and text_at(found, index + 2) in ("(", "[", "{"):
            home = f"::{SECRET}::" if token.text in ours else f"::{SECRET}::std::"
            yield Edit(token.start, token.start, home)
        elif after == "::" and token.text in ("std", "core") and _is_macro_call(found, index + 2, ours):
            yield Edit(start, token.end, f"::{SECRET}")
        elif after == "::" and token.text in ("std", "core", "alloc"):
            yield Edit(start, token.end, f"::{SECRET}::{token.text}")
        elif after == "::" and token.text in crates:
            yield Edit(start, token.end, f"::{SECRET}_{token.text}")
        elif after == "::" and token.text == "crate":
            yield Edit(start, token.end, f"{SAMPLE_ROOT}::{SECRET}_tests::{SECRET}_names")


def prelude_edits(found: Sequence[Token]) -> Iterator[Edit]:
    """Keep a glob of a module of the sample's from replacing what the prelude has: an explicit import takes precedence.

    The glob itself is expanded where a reference solution tells its names, see `glob_imports`.
    """
    imported: set[str] = set()
    globs: dict[int, int] = {}
    opened: list[int] = []
    for index, token in enumerate(found):
        if token.text == "{":
            opened.append(index)
        elif token.text == "}" and opened:
            opened.pop()
        elif token.text == "use":
            texts = [each.text for each in itertools.takewhile(lambda each: each.text != ";", found[index:])]
            imported.update(texts)
            is_glob = texts[-2:] == ["::", "*"] and texts[1] in _OUTWARD and "{" not in texts
            if is_glob and not _OUTWARD.issuperset(texts[1:-1]):
                globs.setdefault(opened[-1] if opened else -1, index + len(texts))
    names = sorted({token.text for token in found if token.text in _PRELUDE} - imported)
    for end in globs.values() if names else ():
        at = found[end].end
        yield Edit(at, at, f" use ::{SECRET}::std::prelude::v1::{{{', '.join(names)}}};")


def _is_macro_call(found: Sequence[Token], index: int, names: Collection[str]) -> bool:
    return text_at(found, index) in names and text_at(found, index + 1) == "!"


def _ends_path(found: Sequence[Token], index: int) -> bool:
    """Return whether the token there is the end of a path that a `::` continues."""
    if index < 0:
        return False
    if found[index].text == ">":
        return found[index].end == found[index + 1].start  # `Vec<u8>::new`, not `a > ::std::f()`
    return found[index].is_name and found[index].text not in _BEFORE_PATHS


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits applied."""
    parts, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < position:
            continue  # inside an attribute that is blanked as a whole
        parts += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*parts, text[position:]])


def fill_placeholders(text: str, secret: str, sample_root: str) -> str:
    """Return the text with the names that the placeholders stand for."""
    return text.replace(SECRET, secret).replace(SAMPLE_ROOT, sample_root)


def trusted_import(path: str, crates: Collection[str]) -> str:
    """Redirect the path of an import that the compiler proposed."""
    root = path.partition("::")[0]
    if root in ("std", "core", "alloc"):
        return f"::{SECRET}::{path}"
    return f"::{SECRET}_{path}" if root in crates else path


def text_at(found: Sequence[Token], index: int) -> str:
    """Return the text of the token at an index, or "" outside the list."""
    return found[index].text if 0 <= index < len(found) else ""
