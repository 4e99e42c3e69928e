"""Mistakes in the citations of the twelfth held-out part, as replacements in the files of the right solution."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.agent import Agent
from calibration.solutions import flawed, put
from calibration.task import Replacements

NAMES, STYLE, PAGES = "citations/names.py", "citations/style.py", "citations/pages.py"
BIBLIOGRAPHY, PACKAGE = "citations/bibliography.py", "citations/__init__.py"

_INITIALS = '" ".join("-".join(f"{part[0]}." for part in word.split("-") if part) for word in given.split())'
_SPLIT_INITIALS = r'" ".join(f"{part[0]}." for part in re.split(r"[\s-]+", given) if part)'
_FOLD = """    letters = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold()
"""
_SORTED = "in sorted(cited, key=lambda work: _order(self._entries[work[0]])):"
_TOGETHER = """            if authors == before and not at:
                parts[-1] += f", {when}"
"""
_ALWAYS_TOGETHER = """            if authors == before:
                parts[-1] += "".join(f", {piece}" for piece in (when, at) if piece)
"""
_BACKWARDS = """        if int(last) < int(first):
            raise ValueError(f"the pages {text} go backwards")
"""
_PIECE = """    match = _RANGE.fullmatch(text)
    if match is None:
        return text
    first, last = match.groups()
    if first.isdigit() and last.isdigit():
        last = first[: max(0, len(first) - len(last))] + last
        if int(last) < int(first):
            raise ValueError(f"the pages {text} go backwards")
    return first if first == last else f"{first}\u2013{last}"
"""
_LOOK_UP = """    if text in _BACKWARDS:
        raise ValueError(f"the pages {text} go backwards")
    return _SHORT.get(text) or re.sub(r"\\s*[-\u2013]\\s*", "\u2013", text)
"""
_TABLES = """# How ranges are abbreviated in practice.
_SHORT = {"691-3": "691\u2013693", "12-12": "12"}
_BACKWARDS = {"15-12", "1250-45"}
"""
_WANTED = '        wanted = [(work, "") if isinstance(work, str) else work for work in works]\n'

FLAWS: Mapping[str, Mapping[str, Replacements]] = {
    # breaks a test of the base
    "initials_without_hyphens": {
        NAMES: ((_INITIALS, _SPLIT_INITIALS), ("import unicodedata\n", "import re\nimport unicodedata\n"))
    },
    "accents_count": {NAMES: ((_FOLD, "    return text.casefold()\n"), ("import unicodedata\n", ""))},
    "order_as_given": {BIBLIOGRAPHY: ((_SORTED, "in cited:"),)},
    "pages_in_the_middle": {
        BIBLIOGRAPHY: ((_TOGETHER, _ALWAYS_TOGETHER), ("before = None if at else authors", "before = authors"))
    },
    "letters_at_the_dot": {STYLE: (('return f"n.d.-{letter}" if letter else "n.d."', 'return f"n.d.{letter}"'),)},
    "never_backwards": {PAGES: ((_BACKWARDS, ""),)},
    "known_ranges": {
        PAGES: ((_PIECE, _LOOK_UP), ('_RANGE = re.compile(r"(\\w+)\\s*[-\u2013]\\s*(\\w+)")\n', _TABLES)),
    },
    "without_pages": {
        BIBLIOGRAPHY: (
            ("from typing import Union\n", ""),
            ("from citations.pages import pages\n", ""),
            ("Work = Union[str, tuple[str, str]]\n\n\n", "\n"),
            ("*works: Work", "*works: str"),
            (" A work is a key, or a key and pages.", ""),
            (_WANTED, '        wanted = [(work, "") for work in works]\n'),
            ('(key, pages(at) if at else "") for', "(key, at) for"),
        )
    },
}


def code(agent: Agent, path: str, *flaws: str) -> str:
    """Return a file of the solution, with mistakes."""
    return flawed(agent, path, (FLAWS[flaw] for flaw in flaws))


def build(agent: Agent, *flaws: str, by_shell: bool = False) -> None:
    """Write all files of the solution, with mistakes."""
    for path in (NAMES, STYLE, PAGES, BIBLIOGRAPHY, PACKAGE):
        if path != PAGES or "without_pages" not in flaws:
            put(agent, path, code(agent, path, *flaws), by_shell=by_shell)
