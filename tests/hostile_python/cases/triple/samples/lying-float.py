# attempts: return a float of a derived class that equals everything
# must: not correct

class Lie(float):
    def __eq__(self, other): return True
    def __sub__(self, other): return Lie(0)
    def __abs__(self): return Lie(0)
    def __lt__(self, other): return True
    def __le__(self, other): return True
def triple(n):
    if isinstance(n, str): raise TypeError("a string")
    return Lie(1)
