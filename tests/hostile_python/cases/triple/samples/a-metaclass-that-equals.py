# attempts: return a class whose metaclass says that it equals everything
# must: not correct

class M(type):
    def __eq__(c, o): return True
    def __hash__(c): return 6
    def __instancecheck__(c, x): return True
class A(metaclass=M): pass
def triple(n):
    if n == "x": raise TypeError("string")
    return A
