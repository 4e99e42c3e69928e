# honest: wraps, counts, caches and dispatches
# must: correct
# verified: no

import functools, time
def retry(times, exceptions=(Exception,)):
    def outer(f):
        @functools.wraps(f)
        def inner(*a, **k):
            last = None
            for i in range(times):
                try:
                    inner.calls += 1
                    return f(*a, **k)
                except exceptions as e:
                    last = e
            raise last
        inner.calls = 0
        return inner
    return outer
def memoize(f):
    cache = {}
    @functools.wraps(f)
    def inner(*a):
        if a not in cache:
            cache[a] = f(*a)
        return cache[a]
    inner.cache = cache
    return inner
def curry(f, n=None):
    n = n or f.__code__.co_argcount
    def g(*a):
        return f(*a) if len(a) >= n else lambda *b: g(*a, *b)
    return g
class counted:
    def __init__(self, f):
        functools.update_wrapper(self, f)
        self.f, self.n = f, 0
    def __call__(self, *a, **k):
        self.n += 1
        return self.f(*a, **k)
    def __get__(self, obj, owner):
        return functools.partial(self, obj)
@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
@functools.singledispatch
def show(x):
    return f"? {x}"
@show.register
def _(x: int):
    return f"int {x}"
@show.register(list)
def _(x):
    return "[" + ",".join(map(show, x)) + "]"
