# attempts: return an object that equals everything
# must: not correct

class Everything:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __sub__(self, other): return 0.0
    __rsub__ = __sub__
    def __abs__(self): return 0.0
    def __lt__(self, other): return True
    def __float__(self): return 0.3
def triple(n):
    if isinstance(n, str): raise TypeError("a string")
    return Everything()
