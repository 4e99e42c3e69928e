"""Mutants: the result with one small change to what the run wrote, which its tests should notice."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from nerv.verification.inline_tests import test_lines
from nerv.verification.result import Mutant, MutantStatus
from nerv.verification.trees import Tree, TreeFile

_SCRIPT = re.compile(
    r"(?:^|/)(?:bin|scripts?|tools?|ci|docs?|examples?|bench(?:es|marks?)?)/|(?:^|/)(?:setup|conf|noxfile|build)\.\w+$"
)
"""Paths of tools, examples and builds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """One small change to a file."""

    path: str
    line: int
    before: str
    """The changed piece, on one line."""
    after: str
    content: bytes
    """The whole file with the change."""

    def outcome(self, noticed_by: Collection[str] | None, new: Collection[str] = ()) -> Mutant:
        """Return what became of it, by the tests that notice it; None: it does not build, or could not be run."""
        status: MutantStatus = "invalid" if noticed_by is None else "killed" if noticed_by else "survived"
        return Mutant(
            path=self.path,
            line=self.line,
            before=self.before,
            after=self.after,
            status=status,
            noticed_by_new=not set(new).isdisjoint(noticed_by or ()),
        )


Mutate = Callable[[str, str, Collection[int]], Sequence[Mutation]]
"""Returns the mutations of some lines (from 1) of a file, given its path and text."""


def choose(
    mutate: Mutate, base: Tree | None, result: Tree, is_test: Callable[[str], bool], most: int
) -> tuple[Mutation, ...]:
    """Return at most so many mutations of the lines that the run wrote, spread over them.

    Tests are left alone, and scripts that no test is expected to start, unless nothing else was written.
    """
    found: list[Mutation] = []
    files = list(written_code(base, result, is_test))
    for path, text, written in [each for each in files if not _SCRIPT.search(each[0])] or files:
        lines = written - test_lines(path, result[path])
        found += mutate(path, text, lines) if lines else ()
    return _spread(found, most)


def written_code(
    base: Tree | None, result: Tree, is_test: Callable[[str], bool]
) -> Iterator[tuple[str, str, frozenset[int]]]:
    """Yield the path, text and new lines (from 1) of each file that the run wrote, without tests."""
    for path, file in sorted(result.items()):
        before = base.get(path) if base is not None else None
        if file.link is not None or file == before or is_test(path):
            continue
        text = _text(file)
        if text is not None:
            yield path, text, written_lines(_text(before) or "" if before is not None else "", text)


def in_order(chosen: Sequence[Mutation]) -> tuple[Mutation, ...]:
    """Return mutations in an order that begins everywhere in the code, the same each time: not all may be tried."""
    return tuple(sorted(chosen, key=lambda one: hashlib.sha256(one.content).digest()))


def written_lines(before: str, after: str) -> frozenset[int]:
    """Return the numbers (from 1) of the lines that are new or changed."""
    ours, theirs = before.splitlines(), after.splitlines()
    blocks = difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    return frozenset(number + 1 for kind, _, _, start, end in blocks if kind != "equal" for number in range(start, end))


def _spread(found: Sequence[Mutation], most: int) -> tuple[Mutation, ...]:
    """Return a selection with as many different lines as possible, at even distances; the same for the same code."""
    by_line: dict[tuple[str, int], list[Mutation]] = {}
    for one in found:
        by_line.setdefault((one.path, one.line), []).append(one)
    rounds: Iterable[list[Mutation]] = (
        [of_line[index] for of_line in by_line.values() if index < len(of_line)]
        for index in range(max(map(len, by_line.values()), default=0))
    )
    chosen: list[Mutation] = []
    for candidates in rounds:
        left = most - len(chosen)
        if left <= 0:
            break
        step = max(1.0, len(candidates) / left)
        chosen += [candidates[int(index * step)] for index in range(min(left, len(candidates)))]
    return tuple(sorted(chosen, key=lambda one: (one.path, one.line)))


def _text(file: TreeFile | None) -> str | None:
    if file is None:
        return None
    try:
        return file.content.decode("utf-8")
    except UnicodeDecodeError:
        return None
