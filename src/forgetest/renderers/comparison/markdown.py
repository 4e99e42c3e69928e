"""A comparison as Markdown, for a pull-request comment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from forgetest.comparison import Comparison
from forgetest.renderers import markdown
from forgetest.renderers.comparison import rows, significance_text


def write(comparison: Comparison, stream: IO[str]) -> None:
    """Write the comparison, within the length of a comment on GitHub."""
    stream.writelines(line + "\n" for line in _markdown_lines(comparison))


def _markdown_lines(comparison: Comparison) -> Iterator[str]:
    yield f"## forgetest: {rows.headline(comparison)}"
    yield ""
    if comparison.changed_conditions:
        yield from (f"**{rows.CONDITIONS}:**", "")
        yield from (f"- {markdown.code(rows.condition(changed))}" for changed in comparison.changed_conditions)
        yield ""
    for sentence in rows.pairing(comparison):
        yield from (sentence.replace(str(comparison.paired), markdown.code(str(comparison.paired))), "")
    if comparison.models:
        yield from markdown.table(
            rows.model_headings(comparison.models),
            ([markdown.code(model.model), *rows.model_row(model)[1:]] for model in comparison.models),
        )
    for title, changes, characters in (
        ("Regressions", comparison.regressions, 20_000),
        ("Improvements", comparison.improvements, 10_000),
    ):
        if changes:
            yield from (f"### {title}", "")
            cells = [rows.change_row(change) for change in changes]
            coded = [[markdown.code(row[0]), markdown.code(row[1]), *row[2:]] for row in cells]
            yield from _table_within(rows.CHANGE_HEADINGS, coded, characters)
    yield from (f"**{significance_text.ruling(comparison)}**", "")
    for model in comparison.models:
        first, *others = significance_text.sentences(model, comparison, markdown.code)
        yield f"- {markdown.code(model.model)} {first}"
        yield from (f"  - {sentence}" for sentence in others)
    yield ""
    if comparison.tags:
        yield from ("<details><summary>By tag</summary>", "")
        tagged = [
            [markdown.code(tag.tag), markdown.code(tag.model), *rows.model_row(tag)[1:]] for tag in comparison.tags
        ]
        yield from _table_within(["Tag", *rows.model_headings(comparison.models)], tagged, 8_000)
        yield from ("</details>", "")
    if comparison.not_comparable:
        yield from (f"<details><summary>{len(comparison.not_comparable)} not comparable</summary>", "")
        named = [[markdown.code(rows.name_of(case)), case.reason] for case in comparison.not_comparable]
        yield from _table_within(["Case and model", "Why"], named, 8_000)
        yield "</details>"


def _table_within(headings: Sequence[str], cells: Sequence[Sequence[str]], characters: int) -> Iterator[str]:
    # a comment on GitHub holds 65,536 characters; one that is too long is refused whole
    shown = markdown.rows_within(cells, characters)
    yield from markdown.table(headings, shown, left=2)
    if len(cells) > len(shown):
        yield from (f"{len(cells) - len(shown)} more are in `--format json` and `--format html`.", "")
