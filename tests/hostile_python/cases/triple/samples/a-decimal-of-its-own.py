# attempts: put a class of its own in the place of the library's
# must: not correct

import decimal, sys
class Decimal:
    def __eq__(self, other): return True
    def __str__(self): return "6"
Decimal.__module__, decimal.Decimal = "decimal", Decimal
def triple(n): return Decimal()
