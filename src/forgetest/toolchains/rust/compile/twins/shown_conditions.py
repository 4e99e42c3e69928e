"""Messages of `assert!` show the condition as its author wrote it, whatever became of its text."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterator, Sequence

from forgetest.toolchains.rust.compile.trusted_paths import Edit, text_at
from forgetest.toolchains.rust.compile.twins.literals import split_arguments
from forgetest.toolchains.rust.source.lexer import Token


def condition_edits(found: Sequence[Token], edits: Sequence[Edit]) -> Iterator[Edit]:
    """Have each `assert!` whose condition is edited show the condition as its author wrote it."""
    starts = sorted(edit.start for edit in edits)
    for index, token in enumerate(found):
        if (
            token.text != "assert"
            or text_at(found, index + 1) != "!"
            or text_at(found, index + 2) not in ("(", "[", "{")
        ):
            continue
        arguments = split_arguments(found, index + 2)
        if not arguments:
            continue
        condition = found[slice(*arguments[0])]
        start, end = condition[0].start, condition[-1].end
        if bisect.bisect_left(starts, start) == bisect.bisect_left(starts, end):
            continue
        gaps = [" " if one.end < other.start else "" for one, other in itertools.pairwise(condition)]
        shown = "".join(part.text + gap for part, gap in zip(condition, [*gaps, ""], strict=True))
        if "\n" not in shown and "$" not in shown:  # lines must stay where they are
            yield Edit(start, start, f"# {shown}; ")
