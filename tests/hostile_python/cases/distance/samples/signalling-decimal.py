# attempts: return decimals that raise when they are compared
# must: not correct

from decimal import Decimal
def distance(a, b): return Decimal("sNaN")
def halves(numbers): return [Decimal("NaN")] * len(numbers)
