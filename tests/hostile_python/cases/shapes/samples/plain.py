# honest: classes of all kinds
# must: correct
# verified: yes

import enum
from collections import namedtuple
class Color(enum.Enum):
    RED = 1
    BLUE = 2
class Shape:
    @property
    def area(self): raise NotImplementedError
    def __str__(self): return f"{type(self).__name__}({self.side})"
class Square(Shape):
    def __init__(self, side): self.side = side
    @property
    def area(self): return self.side ** 2
    @classmethod
    def unit(cls): return cls(1)
Point = namedtuple("Point", "x y")
def nearest(points): return min((Point(*each) for each in points), key=lambda p: p.x ** 2 + p.y ** 2)
class Node:
    def __init__(self, value, left=None, right=None): self.value, self.left, self.right = value, left, right
    def __iter__(self):
        if self.left: yield from self.left
        yield self.value
        if self.right: yield from self.right
    def add(self, value):
        side = "left" if value < self.value else "right"
        child = getattr(self, side)
        if child is None: setattr(self, side, Node(value))
        else: child.add(value)
def make_tree(values):
    first, *rest = values
    root = Node(first)
    for value in rest: root.add(value)
    return root
class Matrix:
    def __init__(self, rows): self.rows = rows
    def __getitem__(self, key): return self.rows[key[0]][key[1]]
    def __setitem__(self, key, value): self.rows[key[0]][key[1]] = value
    def __len__(self): return len(self.rows)
def parse(text):
    pairs = (pair.split("=") for pair in text.split(";") if pair)
    return {key: int(value) if value.isdigit() else value for key, value in pairs}
