"""One page with two reports side by side: the changes, and the samples of each in both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO

from forgetest.comparison import Change, Comparison
from forgetest.comparison.changed_samples import ChangedSamples
from forgetest.renderers.comparison import json
from forgetest.renderers.comparison.rows import headline
from forgetest.renderers.html import contents, page

MOST_CHARACTERS = 60_000_000

_STYLES = ("style.css", "table.css", "sample.css", "compare.css")
_SCRIPTS = (
    "dom.js",
    "format.js",
    "highlight.js",
    "table.js",
    "code.js",
    "detail.js",
    "theme.js",
    "difference.js",
    "compare.js",
)


def write(comparison: Comparison, changed: Iterable[tuple[Change, ChangedSamples]], stream: IO[str]) -> None:
    """Write the page; `changed` are the regressions and improvements with their samples, in that order."""
    page.write(
        stream,
        body="compare.html",
        title=f"forgetest: {headline(comparison)}",
        styles=_STYLES,
        scripts=_SCRIPTS,
        data=_comparison_data(comparison, changed),
    )


def _comparison_data(comparison: Comparison, changed: Iterable[tuple[Change, ChangedSamples]]) -> Iterator[str]:
    yield page.embedded("comparison", {"headline": headline(comparison), **json.encode(comparison)})
    room = MOST_CHARACTERS
    for number, (_, samples) in enumerate(changed):
        text = page.embedded(
            f"change-{number}",
            {
                "language": samples.language,
                "baseline": [contents.detail(sample) for sample in samples.baseline],
                "current": [contents.detail(sample) for sample in samples.current],
            },
        )
        if len(text) > room:
            return
        room -= len(text)
        yield text
