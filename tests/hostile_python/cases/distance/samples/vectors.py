# honest: computes with a class of its own that the tests do not know
# must: correct
# verified: yes

from dataclasses import dataclass
from functools import reduce
@dataclass(frozen=True, slots=True)
class Vector:
    parts: tuple
    def __sub__(self, other): return Vector(tuple(a - b for a, b in zip(self.parts, other.parts)))
    def __abs__(self): return reduce(lambda total, part: total + part * part, self.parts, 0.0) ** 0.5
def distance(a, b): return abs(Vector(a) - Vector(b))
def halves(numbers): return [each / 2 for each in numbers]
