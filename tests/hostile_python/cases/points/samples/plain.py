# honest: is compared by its own methods
# must: correct
# verified: no

from dataclasses import dataclass
from functools import total_ordering
@dataclass(frozen=True)
class Point:
    x: int
    y: int
def points(pairs): return [Point(*pair) for pair in pairs]
def neighbours(cells):
    return {Point(p.x + dx, p.y + dy) for p in cells for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
class Vector:
    def __init__(self, x, y): self.x, self.y = x, y
    def __add__(self, other): return Vector(self.x + other.x, self.y + other.y)
    def __rmul__(self, k): return Vector(k * self.x, k * self.y)
    def __neg__(self): return Vector(-self.x, -self.y)
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** 0.5
    def __eq__(self, other): return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)
    def __repr__(self): return f"Vector({self.x}, {self.y})"
@total_ordering
class Money:
    def __init__(self, cents): self.cents = cents
    def __add__(self, other): return Money(self.cents + other.cents)
    def __eq__(self, other): return self.cents == other.cents
    def __lt__(self, other): return self.cents < other.cents
    def __bool__(self): return self.cents != 0
    def __hash__(self): return hash(self.cents)
def add_all(items): return sum(items, Money(0))
