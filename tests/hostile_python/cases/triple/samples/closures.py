# honest: is made by closures and a decorator with state
# must: correct
# verified: yes

import functools
def counted(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return function(*args, **kwargs)
    wrapper.calls = 0
    return wrapper
def times(k):
    def by(n):
        if isinstance(n, str): raise TypeError("a string")
        return k * n
    return by
triple = counted(times(3))
