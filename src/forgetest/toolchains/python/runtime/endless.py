"""Proves that a loop of a plain sample never ends: everything that it can depend on is as it was some rounds ago.

A plain sample is deterministic and reaches nothing but its own values, so a loop that comes back to a state goes round
for ever. Two kinds of variables are no part of the state: those that the loop only adds to, and never reads, and those
that have grown so far that their value does not matter (`growing`); for both, the loop must not have been left in the
meantime. Such a sample need not use up its time limit. Nothing is guessed: what cannot be compared exactly, or is not
certain to be all that matters, is left to the time limit. Who claims this in vain only fails its own test.
"""

from __future__ import annotations

import ast
import sys
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from .frame_state import UnknownStateError, read_state
from .growing import ANYWHERE, Guard, Guards, find_growing

_LOOK_S = 0.01
"""CPU time for one look, which slows the sample down."""
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Pass)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)
"""From Python 3.12 on, they run in the frame around them, with an iterator that no variable holds."""
_BARRIERS = (ast.For, ast.With, ast.Try)
"""What holds a state of its own, outside of variables, while the statements in it are executed."""


class Loop:
    """A `while` statement that can be watched."""

    def __init__(self, node: ast.While, line: int, growing: dict[str, Guards]) -> None:
        self.line = line
        """Where a round begins."""
        self.lines = range(node.lineno, (node.body[-1].end_lineno or 0) + 1)
        """Its lines, without those of `else`."""
        self.counters = _find_counters(node) | frozenset(growing)
        """Variables whose values do not matter: it only adds to them, or their guards hold."""
        self.guards = {
            each: [guard for guards in growing.values() for guard in guards.get(each, ())] for each in self.lines
        }
        self.moduli = {
            name: [int(guard.other) for guard in guards.get(ANYWHERE, ())] for name, guards in growing.items()
        }
        """Numbers by which a growing variable is divided for the remainder, which belongs to the state."""


def find_loops(source: str) -> dict[int, list[Loop]]:
    """Return the loops of a sample that can be watched, by the line where a round begins.

    A loop is there once for each set of variables that may not matter.
    """
    tree = ast.parse(source)
    if any(_compares_identity(node) for node in ast.walk(tree)) or _may_order_by_address(tree):
        return {}
    lines = Counter(node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt))
    single_lines = frozenset(line for line, count in lines.items() if count == 1)
    own_names = _own_names(tree)
    loops = {}
    for node in _find_in(tree, is_free=True):
        line = _first_line(node)
        if line in single_lines:
            sets = find_growing(node, own_names, single_lines)
            loops[line] = [Loop(node, line, growing) for growing in sets]
    return loops


def _own_names(tree: ast.AST) -> frozenset[str]:
    """Return all names that a sample gives a value to."""
    names: set[str | None] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ExceptHandler)):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names |= {node.name, node.asname}
    return frozenset(name for name in names if name)


def _compares_identity(node: ast.AST) -> bool:
    """Return whether equal values could be told apart."""
    if not isinstance(node, ast.Compare) or not any(isinstance(each, (ast.Is, ast.IsNot)) for each in node.ops):
        return False
    return not all(isinstance(each, ast.Constant) and each.value in (None, True, False) for each in node.comparators)


def _may_order_by_address(tree: ast.AST) -> bool:
    """Return whether a set could hold functions or iterators, whose order in it depends on where they are in memory."""
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    if not names & {"set", "frozenset"} and not any(isinstance(node, (ast.Set, ast.SetComp)) for node in nodes):
        return False
    inner = (ast.FunctionDef, ast.Lambda, ast.Yield, ast.YieldFrom)
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    has_inner = any(isinstance(node, inner) for each in functions for node in ast.walk(each) if node is not each)
    consumed = {id(each) for node in nodes if isinstance(node, ast.Call) for each in node.args}
    generators = [node for node in nodes if isinstance(node, ast.GeneratorExp) and id(node) not in consumed]
    return has_inner or bool(generators) or bool(names & {"iter", "map", "filter", "zip", "enumerate", "reversed"})


def _find_in(node: ast.AST, *, is_free: bool) -> Iterator[ast.While]:
    """Yield the loops below a node. `is_free`: nothing around it holds a state of its own."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.Lambda)):
            yield from _find_in(child, is_free=not _is_generator(child))
            continue
        if isinstance(child, ast.While) and is_free:
            yield child
        yield from _find_in(child, is_free=is_free and not isinstance(child, _BARRIERS))


def _first_line(loop: ast.While) -> int:
    """Return a line of every round that is executed with nothing half computed; 0 if there is none."""
    if not isinstance(loop.test, ast.Constant):
        candidates: list[ast.expr | ast.stmt] = [loop.test]
    else:
        candidates = [each.test if isinstance(each, ast.If) else each for each in loop.body]
        candidates = [each for each in candidates if isinstance(each, (ast.expr, *_SIMPLE))]
    for part in candidates:
        is_on_one_line = part.end_lineno == part.lineno and loop.body[0].lineno > loop.lineno
        if is_on_one_line and not any(isinstance(node, _COMPREHENSIONS) for node in ast.walk(part)):
            return part.lineno
    return 0


def _is_generator(function: ast.AST) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function))


def _find_counters(loop: ast.While) -> frozenset[str]:
    """Return variables that the loop changes by `+=` or `-=` only, and reads nowhere else."""
    nodes = list(ast.walk(loop))
    if any(isinstance(node, (ast.FunctionDef, ast.Lambda, ast.Global, ast.Nonlocal)) for node in nodes):
        return frozenset()
    uses = [node.id for node in nodes if isinstance(node, ast.Name)]
    changed = [
        node.target.id
        for node in nodes
        if isinstance(node, ast.AugAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.op, (ast.Add, ast.Sub))
    ]
    return frozenset(name for name in changed if uses.count(name) == changed.count(name))


class Watch:
    """Looks at the loops of one sample."""

    def __init__(self, source: str, filename: str, on_endless: Callable[[int], None]) -> None:
        """`on_endless` is called with the line of a loop that never ends."""
        self._source, self._filename, self._on_endless = source, filename, on_endless
        self._loops: dict[int, list[Loop]] | None = None
        self._seen: dict[tuple[int, int], list[_Rounds]] = {}
        self._until_s = 0.0
        self._pause = 0
        self._waited = 0

    def look(self, frame: types.FrameType | None) -> None:
        """Watch the sample for a moment, if it may be in a loop. The more often this is called, the less is done."""
        self._waited += 1
        if self._waited < self._pause:
            return
        self._waited, self._pause = 0, 2 * self._pause + 1
        if self._loops is None:
            try:
                self._loops = find_loops(self._source)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._loops = {}
        frames = [each for each in _stack(frame) if each.f_code.co_filename == self._filename]
        if not self._loops or not frames:
            return
        self._seen, self._until_s = {}, time.process_time() + _LOOK_S
        sys.settrace(lambda *_: None)
        for each in frames:
            each.f_trace = self._trace

    def _trace(self, frame: types.FrameType, event: str, _argument: object) -> Any:
        try:
            if time.process_time() > self._until_s:
                sys.settrace(None)
                return None
            if event == "line":
                self._follow(frame)
        except UnknownStateError:
            self._loops = {}
            sys.settrace(None)
            return None
        except (RecursionError, MemoryError):  # ours, not the sample's
            sys.settrace(None)
            return None
        return self._trace

    def _follow(self, frame: types.FrameType) -> None:
        """Look at the line that a frame is about to execute."""
        loops = (self._loops or {}).get(frame.f_lineno)
        if loops is not None:
            key = (id(frame), frame.f_lasti)
            if key not in self._seen:
                self._seen[key] = [_Rounds(loop) for loop in loops]
            for rounds in self._seen[key]:
                if rounds.have_repeated(frame):
                    self._on_endless(rounds.loop.line)
        for (number, _), several in self._seen.items():
            for rounds in several if number == id(frame) else ():
                if not rounds.may_go_on(frame):
                    rounds.forget()


class _Rounds:
    """The states at the beginning of rounds, of which one is remembered: each time a later one (Brent's algorithm)."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.forget()

    def forget(self) -> None:
        """Begin again: what was left out of the states has mattered since."""
        self._state: list[Any] | None = None
        self._number, self._next = 0, 1

    def have_repeated(self, frame: types.FrameType) -> bool:
        """Return whether the state of a frame, in which a round begins, is one from before."""
        state = read_state(frame, self.loop.counters, self.loop.moduli)
        if state == self._state:
            return True
        self._number += 1
        if self._number == self._next:
            self._state, self._next = state, 2 * self._next
        return False

    def may_go_on(self, frame: types.FrameType) -> bool:
        """Return whether the values that are no part of the state do not matter in the line that comes now."""
        if not self.loop.counters:
            return True
        guards = self.loop.guards.get(frame.f_lineno)
        if guards is None:  # outside of the loop, where they may be read or set
            return False
        return not guards or _hold(guards, frame)


def _hold(guards: list[Guard], frame: types.FrameType) -> bool:
    hidden = frozenset(frame.f_code.co_cellvars + frame.f_code.co_freevars)
    variables = {name: value for name, value in frame.f_locals.items() if name not in hidden}
    return frame.f_locals is not frame.f_globals and all(guard.holds(variables) for guard in guards)


def _stack(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
