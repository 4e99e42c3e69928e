"""Finds variables of a loop that only ever move one way, and whose values stop mattering once they are far enough.

`nums[left:right + 1]` is the same for every `right` beyond the end of `nums`, and `left > right` is the same for every
`right` above `left`. A loop that changes `right` by `right += 1` only, and uses it nowhere else, behaves in every later
round as in this one once all else is as it was. A guard says from when on that holds; it is asked each time that the
line is executed. Any other use rules the variable out, and so does whatever could change a value between that moment
and the use.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_PURE = frozenset({"abs", "all", "any", "bool", "float", "int", "len", "max", "min", "round", "sum"})
"""Functions that change nothing, and that call nothing of the sample."""
_REFUSED = (ast.NamedExpr, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
_SEQUENCES = (list, tuple, str, bytes)
_NUMBERS = (int, bool, float)


class Guard(NamedTuple):
    """A use of a variable, and from when on its value does not matter there."""

    name: str
    offset: int
    step: Literal[1, -1]
    """1 if the variable grows, -1 if it shrinks."""
    kind: Literal["bound", "number", "length", "remainder"]
    """Bound of a slice; compared with a number; compared with the length of a sequence; divided for its remainder."""
    other: str | int
    """The sequence or number: the name of its variable, or the number. A remainder matters: it belongs to the state."""

    def holds(self, variables: Mapping[str, Any]) -> bool:
        """Return whether the value has gone so far that any that follows leads to the same."""
        value = variables.get(self.name)
        other = variables.get(self.other) if isinstance(self.other, str) else self.other
        if type(value) is not int:
            return False
        value += self.offset
        if self.kind == "number":
            return type(other) in _NUMBERS and (value > other if self.step > 0 else value < other)  # type: ignore[operator]
        if type(other) not in _SEQUENCES:
            return False
        size = len(other)  # type: ignore[arg-type]
        if self.kind == "length":
            return value > size if self.step > 0 else value < size
        return value >= size if self.step > 0 else value <= -size


Guards = dict[int, list[Guard]]
"""Guards by the line that they are asked at."""
ANYWHERE = 0
"""In place of a line: for remainders."""


def find_growing(loop: ast.While, own_names: frozenset[str], single_lines: frozenset[int]) -> list[dict[str, Guards]]:
    """Return the variables of a loop whose values stop mattering, each with its guards.

    Variables that are compared with one another cannot stop mattering together: each has a set of its own.
    `own_names`: all that the sample assigns or defines; `single_lines`: lines on which exactly one statement begins.
    """
    if any(isinstance(node, (ast.FunctionDef, ast.Lambda, ast.Global, ast.Nonlocal)) for node in ast.walk(loop)):
        return [{}]
    parents = {child: node for node in ast.walk(loop) for child in ast.iter_child_nodes(node)}
    found: dict[str, Guards] = {}
    for name, step in _find_steps(loop).items():
        guards: Guards = {}
        for use in _uses(loop, name):
            if _leaves(use, parents):
                continue
            made = list(_guard_use(use, parents, step, own_names, single_lines))
            if not made:
                break
            for line, guard in made:
                guards.setdefault(line, []).append(guard)
        else:
            found[name] = guards
    return _independent_sets(found)


def _independent_sets(found: dict[str, Guards]) -> list[dict[str, Guards]]:
    """Return sets of variables that are not compared with one another, so that each variable is in one of them."""
    others = {name: {guard.other for each in guards.values() for guard in each} for name, guards in found.items()}
    sets: list[dict[str, Guards]] = []
    for first in found:
        chosen: dict[str, Guards] = {}
        for name in (first, *found):
            if not others[name] & chosen.keys() and not any(name in others[each] for each in chosen):
                chosen[name] = found[name]
        if chosen not in sets:
            sets.append(chosen)
    return sets or [{}]


def _find_steps(loop: ast.While) -> dict[str, Literal[1, -1]]:
    """Return the variables that the loop changes by constants of one sign only, with that sign."""
    steps: dict[str, set[int]] = {}
    for node in ast.walk(loop):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            steps.setdefault(node.id, set())
        if isinstance(node, ast.ExceptHandler) and node.name:
            steps.setdefault(node.name, set()).add(0)
    for name in steps:
        changes = [each for node in ast.walk(loop) if isinstance(node, ast.stmt) for each in _changes(node, name)]
        steps[name] |= set(changes)
    signs: dict[str, Literal[1, -1]] = {}
    for name, values in steps.items():
        if values == {1}:
            signs[name] = 1
        elif values == {-1}:
            signs[name] = -1
    return signs


def _changes(statement: ast.stmt, name: str) -> Iterator[int]:
    """Yield the sign of the change that a statement makes to a variable; 0 if that is not known."""
    if (sign := _step_sign(statement, name)) is not None:
        yield sign
        return
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):  # has its own turn
            continue
        for node in ast.walk(child):
            if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load):
                yield 0


def _step_sign(statement: ast.stmt, name: str) -> int | None:
    """Return the sign of `name += 2`, of `name = name + 2`, and of those with a minus; None for anything else."""
    if isinstance(statement, ast.AugAssign):
        target: ast.AST = statement.target
        operator, amount = statement.op, statement.value
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.value, ast.BinOp):
        target, operator, amount = statement.targets[0], statement.value.op, statement.value.right
        if not _is_name(statement.value.left, name):
            return None
    else:
        return None
    size = _constant(amount)
    if not _is_name(target, name) or size is None or not isinstance(operator, (ast.Add, ast.Sub)):
        return None
    size = size if isinstance(operator, ast.Add) else -size
    return (size > 0) - (size < 0)


def _uses(loop: ast.While, name: str) -> Iterator[ast.Name]:
    """Yield where the variable is read, other than to change it."""
    own = [node for node in ast.walk(loop) if isinstance(node, ast.stmt) and _step_sign(node, name) is not None]
    ignored = {id(node) for statement in own for node in ast.walk(statement)}
    for node in ast.walk(loop):
        if isinstance(node, ast.Name) and node.id == name and id(node) not in ignored:
            yield node


def _leaves(node: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Return whether the loop is over once this has been evaluated: no round that repeats itself gets there."""
    has_returned = False
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.Try):  # `finally` may go on with the loop
            return False
        has_returned = has_returned or isinstance(node, ast.Return)
    return has_returned


def _guard_use(
    use: ast.Name,
    parents: Mapping[ast.AST, ast.AST],
    step: Literal[1, -1],
    own_names: frozenset[str],
    single_lines: frozenset[int],
) -> Iterator[tuple[int, Guard]]:
    """Yield the guards of one use with their line; nothing if the value matters there for good."""
    operand: ast.AST = use
    offset = 0
    above = parents[use]
    if isinstance(above, ast.BinOp) and above.left is use and isinstance(above.op, (ast.Add, ast.Sub)):
        size = _constant(above.right)
        if size is None:
            return
        operand, offset = above, size if isinstance(above.op, ast.Add) else -size
        above = parents[operand]
    if isinstance(above, ast.BinOp) and isinstance(above.op, ast.Mod) and above.left is operand:
        modulus = _constant(above.right)
        if modulus:
            yield ANYWHERE, Guard(use.id, 0, step, "remainder", modulus)
        return
    line = _line_of(operand, parents, own_names)
    if line not in single_lines:
        return
    for kind, other in _counterparts(operand, above, parents, own_names):
        yield line, Guard(use.id, offset, step, kind, other)


def _counterparts(
    operand: ast.AST, above: ast.AST, parents: Mapping[ast.AST, ast.AST], own_names: frozenset[str]
) -> Iterable[tuple[Literal["bound", "number", "length"], str | int]]:
    """Return what the operand is compared with, or the sequence that it bounds a slice of; nothing where it is else."""
    if isinstance(above, ast.Slice) and above.step is None:
        subscript = parents[above]
        is_read = isinstance(subscript, ast.Subscript) and isinstance(subscript.ctx, ast.Load)
        sequence = subscript.value if is_read else None  # type: ignore[attr-defined]
        return [("bound", sequence.id)] if isinstance(sequence, ast.Name) else []
    if not isinstance(above, ast.Compare) or not all(isinstance(each, _ORDERS) for each in above.ops):
        return []
    operands: list[ast.AST] = [above.left, *above.comparators]
    place = operands.index(operand)
    found: list[tuple[Literal["bound", "number", "length"], str | int]] = []
    for each in operands[max(0, place - 1) : place] + operands[place + 1 : place + 2]:
        number = _constant(each)
        if number is not None:
            found.append(("number", number))
        elif isinstance(each, ast.Name):
            found.append(("number", each.id))
        elif isinstance(each, ast.Call) and _is_length(each, own_names):
            found.append(("length", each.args[0].id))  # type: ignore[attr-defined]
        else:
            return []
    return found


def _line_of(node: ast.AST, parents: Mapping[ast.AST, ast.AST], own_names: frozenset[str]) -> int:
    """Return the line that a node is evaluated at, with nothing in it that could change a value before; else 0."""
    while not isinstance(above := parents[node], ast.stmt):
        node = above
    part: ast.expr | ast.stmt
    if isinstance(above, (ast.If, ast.While)) and node is above.test:
        part = above.test
    elif isinstance(above, _SIMPLE):
        part = above
    else:
        return 0
    line: int = above.lineno
    is_on_one_line = part.lineno == part.end_lineno == line
    return line if is_on_one_line and all(_is_harmless(each, own_names) for each in ast.walk(part)) else 0


def _is_harmless(node: ast.AST, own_names: frozenset[str]) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _PURE - own_names and not node.keywords
    return not isinstance(node, _REFUSED)


def _is_length(call: ast.Call, own_names: frozenset[str]) -> bool:
    is_len = isinstance(call.func, ast.Name) and call.func.id == "len" and "len" not in own_names
    return is_len and len(call.args) == 1 and isinstance(call.args[0], ast.Name) and not call.keywords


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _constant(node: ast.AST) -> int | None:
    """Return the value of an integer in the text; None for anything else."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _constant(node.operand)
        return None if value is None else -value
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
