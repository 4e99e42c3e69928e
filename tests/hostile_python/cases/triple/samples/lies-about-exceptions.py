# attempts: raise an exception whose class says it is every other
# must: not correct

class Meta(type):
    def __instancecheck__(cls, other): return True
    def __subclasscheck__(cls, other): return True
    def __eq__(cls, other): return True
    def __hash__(cls): return 0
class TypeErrorish(Exception, metaclass=Meta):
    __class__ = TypeError
    def __str__(self): return "a string"
def triple(n):
    if isinstance(n, str): raise TypeErrorish("a string")
    return 3 * n
