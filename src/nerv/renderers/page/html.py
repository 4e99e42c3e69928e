"""Pieces of HTML that every section of the page uses: escaped text, sections, lists, facts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from nerv.location import Location

_MARKED = re.compile(r"`(?P<code>[^`]+)`|\*\*(?=\S)(?P<strong>[^*]+?)(?<=\S)\*\*")


def escaped(text: str) -> str:
    """Return the text escaped for HTML, with unprintable characters replaced."""
    return escape("".join(letter if letter.isprintable() or letter == " " else "·" for letter in text))


def with_code(text: str) -> str:
    """Return a text escaped for HTML, with what stands in backticks as code, and in double asterisks as important."""
    return _MARKED.sub(_marked, escaped(text))


def _marked(match: re.Match[str]) -> str:
    if match["code"]:
        return f"<code>{match['code']}</code>"
    return f"<strong>{_MARKED.sub(_marked, match['strong'])}</strong>"


def cut(text: str, length: int) -> str:
    """Return a text of at most this length; one that is longer ends with a whole word."""
    return text if len(text) <= length else text[:length].rsplit(" ", 1)[0] + " …"


def escaped_lines(text: str) -> str:
    """Return a text of several lines escaped for HTML; the style keeps its line breaks."""
    return "\n".join(escaped(line.expandtabs(4)) for line in text.splitlines())


def section(title: str, body: str, key: str = "", note: str = "") -> str:
    """Return a section with a heading; `note` stands beside the heading."""
    target = f' id="{key}"' if key else ""
    beside = f" <span>{escaped(note)}</span>" if note else ""
    return f"<section{target}><h2>{escaped(title)}{beside}</h2>{body}</section>"


def folded(title: str, body: str) -> str:
    """Return a section that is closed at first."""
    return f"<section><details><summary><h2>{escaped(title)}</h2></summary>{body}</details></section>"


def bullets(items: Iterable[str], kind: str = "") -> str:
    """Return a list of items that are HTML already; empty where there are none."""
    listed = "".join(f"<li>{item}</li>" for item in items)
    css = f' class="{kind}"' if kind else ""
    return f"<ul{css}>{listed}</ul>" if listed else ""


def facts_list(facts: Iterable[tuple[str, str]]) -> str:
    """Return names with their values."""
    rows = "".join(f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in facts)
    return f'<dl class="facts">{rows}</dl>'


def location_html(location: Location | None) -> str:
    """Return the location in small print, or nothing."""
    return f" <code>{escaped(str(location))}</code>" if location else ""


def lines_html(lines: Iterable[str]) -> str:
    """Return lines of code or of a log, as they are."""
    shown = "\n".join(escaped(line.expandtabs(4)) for line in lines)
    # long lines can be scrolled, also with the keyboard
    return f'<pre class="lines" tabindex="0" role="group" aria-label="Lines">{shown}</pre>' if shown else ""


def more_html(total: int, shown: int, what: str) -> str:
    """Return a line for what is left out of a list, or nothing."""
    return f'<p class="faint">and {total - shown:,} more {escaped(what)}</p>' if total > shown else ""


def quantity(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun: `1 test`, `2 tests`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def tone(score: int | None) -> str:
    """Return the colour class of a score from 1 to 10."""
    if score is None:
        return "none"
    return "good" if score >= 8 else "fair" if score >= 6 else "poor" if score >= 4 else "bad"
