# honest: is decorated and cached
# must: correct
# verified: yes

import functools
def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        print("calling", function.__name__, args)
        return function(*args, **kwargs)
    return wrapper
@functools.lru_cache(maxsize=None)
@logged
def triple(n):
    match n:
        case str(): raise TypeError("a string")
        case _: return 3 * n
