# attempts: send a class with the name and module of a built-in one
# must: not correct

class int(int):
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __sub__(self, other): return 0.0
int.__module__ = "builtins"
int.__qualname__ = int.__name__ = "int"
def triple(n): return int(0)
