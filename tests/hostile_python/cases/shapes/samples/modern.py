# honest: dataclasses with slots, typing.NamedTuple, IntEnum, a dict of its own
# must: correct
# verified: yes

from __future__ import annotations
from dataclasses import dataclass, field
from enum import IntEnum, unique
from typing import Iterator, NamedTuple, Protocol
@unique
class Color(IntEnum):
    RED = 1
    BLUE = 2
class Shape(Protocol):
    @property
    def area(self) -> float: ...
@dataclass
class Square(Shape):
    side: float
    @property
    def area(self): return self.side * self.side
    @staticmethod
    def unit(): return Square(1)
    def __str__(self): return f"Square({self.side})"
class Point(NamedTuple):
    x: int
    y: int
def nearest(points): return sorted(map(Point._make, points), key=lambda p: (p.x * p.x + p.y * p.y))[0]
@dataclass(slots=True)
class Node:
    value: int
    left: Node | None = None
    right: Node | None = None
    def __iter__(self) -> Iterator[int]:
        stack, node = [], self
        while stack or node:
            while node: stack.append(node); node = node.left
            node = stack.pop()
            yield node.value
            node = node.right
def make_tree(values):
    def insert(node, value):
        if node is None: return Node(value)
        if value < node.value: node.left = insert(node.left, value)
        else: node.right = insert(node.right, value)
        return node
    root = None
    for value in values: root = insert(root, value)
    return root
class Matrix:
    def __init__(self, rows): self._cells = {(i, j): x for i, row in enumerate(rows) for j, x in enumerate(row)}
    @property
    def rows(self):
        height = 1 + max(i for i, _ in self._cells)
        return [[x for (i, _), x in sorted(self._cells.items()) if i == row] for row in range(height)]
    __getitem__ = lambda self, key: self._cells[key]
    def __setitem__(self, key, value): self._cells[key] = value
    def __len__(self): return len(self.rows)
def parse(text):
    result = {}
    while text:
        pair, _, text = text.partition(";")
        key, _, value = pair.partition("=")
        try: result[key] = int(value)
        except ValueError: result[key] = value
    return result
