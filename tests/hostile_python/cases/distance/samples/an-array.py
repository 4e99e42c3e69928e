# honest: returns a derived float, and a derived list
# must: correct
# verified: yes

import math
class Metres(float):
    unit = "m"
class Halves(list):
    """A list with a sum."""
    def sum(self): return sum(self)
def distance(a, b): return Metres(math.hypot(*(x - y for x, y in zip(a, b))))
def halves(numbers): return Halves(each * 0.5 for each in numbers)
