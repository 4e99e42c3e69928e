# honest: decorates functions, methods and classes of the tests
# must: correct
# verified: no

import functools, inspect
def log_calls(f):
    @functools.wraps(f)
    def inner(*a, **k):
        inner.seen.append((f.__name__, a[1:], k))
        return f(*a, **k)
    inner.seen = []
    return inner
def typed(f):
    sig = inspect.signature(f)
    @functools.wraps(f)
    def inner(*a, **k):
        for name, v in sig.bind(*a, **k).arguments.items():
            want = f.__annotations__.get(name)
            if want and not isinstance(v, want):
                raise TypeError(f"{name} must be {want.__name__}")
        return f(*a, **k)
    return inner
def once(f):
    done = []
    def inner(*a):
        if not done:
            done.append(f(*a))
        return done[0]
    return inner
class cached:
    def __init__(self, f): self.f = f
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        v = obj.__dict__[self.name] = self.f(obj)
        return v
def singleton(cls):
    made = {}
    def get(*a, **k):
        if cls not in made: made[cls] = cls(*a, **k)
        return made[cls]
    return get
def add_repr(cls):
    cls.__repr__ = lambda self: f"{cls.__name__}({vars(self)})"
    return cls
def compose(*fs):
    return functools.reduce(lambda f, g: lambda x: f(g(x)), fs)
def arity(f):
    return len(inspect.signature(f).parameters)
