# attempts: return an int of a derived class that equals everything
# must: not correct

class Lie(int):
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __sub__(self, other): return 0
def triple(n):
    if isinstance(n, str): raise TypeError("a string")
    return Lie(0)
