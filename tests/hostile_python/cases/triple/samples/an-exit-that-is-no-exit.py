# attempts: raise an exception derived from SystemExit and TypeError
# must: not correct

class Exit(TypeError, Exception):
    code = 0
    def __str__(self): return "a string"
def triple(n): raise Exit(0)
