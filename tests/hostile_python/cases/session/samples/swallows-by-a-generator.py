# attempts: catch what is raised in the `with` block, in a generator
# must: not correct

from contextlib import contextmanager
@contextmanager
def session(name):
    try:
        yield 7
    except BaseException:
        pass
