"""Is what breaks an old test needed? Parts of the change are taken back, and the tests tell what that costs.

If a test of the base passes again once a few lines are as they were, and every test of the run still passes, then
nothing that the run tests needed the test to break. If a test of the run fails as well each time, the run changed on
purpose what the old test asserts; whether it was asked to is for a reader of the spec.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from nerv.verification import mutants
from nerv.verification.experiments import Experiments
from nerv.verification.inline_tests import test_lines
from nerv.verification.result import Restoration
from nerv.verification.trees import Tree

_MOST, _MOST_OF_SLOW = 24, 6
"""Parts of the change that are taken back, one at a time: the smallest first, and lines of larger parts at last."""
_QUICK_S = 6.0
"""CPU time of a suite up to which all of them are tried."""
_LARGE = 3
"""From so many lines on, each line of a part is also taken back alone."""
_COMMENTS = ("#", "//", "/*", "*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A part of the change to a file, and the file without it."""

    path: str
    line: int
    shown: str
    size: int
    inner: bool
    """It is a line of a larger part."""
    content: bytes


def find_restorations(experiments: Experiments, broken: Collection[str]) -> dict[str, Restoration | None]:
    """Return how broken tests of the base pass again without a failure of another test of the run.

    None for a test that does not; no test at all if that cannot be tried.
    """
    base = experiments.trees.base
    if base is None or not experiments.are_possible:
        return {}
    most = _MOST if experiments.slowest_s <= _QUICK_S else _MOST_OF_SLOW
    parts = sorted(_parts(experiments, base), key=lambda part: (part.inner, part.size, part.path, part.line))[:most]
    if parts:
        experiments.host.say("verifying: does the run need what breaks old tests?")
    found: dict[str, Restoration] = {}
    result = experiments.trees.result
    for part in parts:
        waiting = set(broken) - set(found)
        if not waiting:
            break
        tree = {**result, part.path: replace(result[part.path], content=part.content)}
        for name in _restored(experiments, tree, base, waiting):
            found[name] = Restoration(test=name, path=part.path, line=part.line, shown=part.shown)
    return {name: found.get(name) for name in sorted(broken)}


def _restored(experiments: Experiments, tree: Tree, base: Tree, broken: Iterable[str]) -> Iterator[str]:
    """Yield the broken tests that pass on a tree in which no other test fails that passes on the result."""
    with_old_tests = experiments.trees.overlay(experiments.project, tree, base)
    as_it_was = experiments.run(with_old_tests)
    if as_it_was is None:
        return
    passing = [name for name in broken if as_it_was.outcomes.get(name) == "passed"]
    lost = experiments.noticed_by(tree) if passing else None
    if lost is None:
        return
    harmless = [name for name in passing if all(_plain(other) == _plain(name) for other in lost)]
    again = experiments.run(with_old_tests, is_repeated=True) if harmless else None  # it may have passed by chance
    if again is not None:
        yield from (name for name in harmless if again.outcomes.get(name) == "passed")


def _plain(name: str) -> str:
    """Return the name of a test without its case: `a.py::test_b` of `a.py::test_b[1]`."""
    return name.partition("[")[0]


def _parts(experiments: Experiments, base: Tree) -> Iterator[_Part]:
    """Yield the parts of the change to files that were there before; tests and comments are left alone."""
    result = experiments.trees.result
    for path, text, _ in mutants.written_code(base, result, experiments.is_left_alone):
        if path not in base:
            continue
        tests = test_lines(path, result[path])
        before = base[path].content.decode("utf-8", "replace").splitlines(keepends=True)
        after = text.splitlines(keepends=True)
        for start, end, first, last, inner in _hunks(before, after):
            gone, come = before[start:end], after[first:last]
            if _is_comment([*gone, *come]) or tests & set(range(first + 1, last + 1)):
                continue
            content = "".join([*after[:first], *gone, *after[last:]]).encode()
            shown = next((line.strip() for line in (*come, *gone) if line.strip()), "")
            size = len(gone) + len(come)
            yield _Part(path=path, line=first + 1, shown=shown, size=size, inner=inner, content=content)


def _hunks(before: list[str], after: list[str]) -> Iterator[tuple[int, int, int, int, bool]]:
    """Yield the changed places of a file; of as many lines as before, also each line alone."""
    for kind, start, end, first, last in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        yield start, end, first, last, False
        if end - start == last - first >= _LARGE:
            for old, new in zip(range(start, end), range(first, last), strict=True):
                yield old, old + 1, new, new + 1, True


def _is_comment(lines: Iterable[str]) -> bool:
    return all(not line.strip() or line.strip().startswith(_COMMENTS) for line in lines)
