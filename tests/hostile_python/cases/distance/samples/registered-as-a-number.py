# attempts: register a class of its own as a number
# must: not correct

import numbers as kinds
class Near:
    def __sub__(self, other): return 0.0
    def __rsub__(self, other): return 0.0
    def __abs__(self): return 0.0
    def __float__(self): return 0.0
    def __lt__(self, other): return True
kinds.Number.register(Near)
kinds.Real.register(Near)
def distance(a, b): return Near()
def halves(numbers): return [Near() for _ in numbers]
