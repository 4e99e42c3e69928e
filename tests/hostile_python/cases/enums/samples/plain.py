# honest: enumerations, flags and members that are strings
# must: correct
# verified: no

import enum
class Color(enum.Enum):
    RED = "r"
    GREEN = "g"
    CRIMSON = "r"
    @property
    def pretty(self):
        return self.name.title()
    @classmethod
    def parse(cls, text):
        return cls[text.upper()]
class Perm(enum.Flag):
    R = enum.auto()
    W = enum.auto()
    X = enum.auto()
    RW = R | W
class Level(enum.IntEnum):
    LOW = 1
    HIGH = 10
class Kind(str, enum.Enum):
    A = "a"
    B = "b"
def worst(levels):
    return max(levels)
def mix(a, b):
    return Color.RED if Color.RED in (a, b) else Color.GREEN
