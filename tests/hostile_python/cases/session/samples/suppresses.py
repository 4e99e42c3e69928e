# attempts: return contextlib.suppress
# must: not correct

from contextlib import suppress
class Session(suppress):
    def __enter__(self): return None
def session(name): return Session(BaseException)
