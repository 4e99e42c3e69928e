# honest: context managers of all kinds
# must: correct
# verified: no

import contextlib, time
class Timer:
    def __enter__(self):
        self.t = time.perf_counter(); return self
    def __exit__(self, *e):
        self.elapsed = time.perf_counter() - self.t
@contextlib.contextmanager
def tag(out, name):
    out.append(f"<{name}>")
    try:
        yield name.upper()
    finally:
        out.append(f"</{name}>")
class suppress:
    def __init__(self, *kinds): self.kinds = kinds
    def __enter__(self): return self
    def __exit__(self, kind, e, tb): return kind is not None and issubclass(kind, self.kinds)
class Tx:
    def __init__(self, db): self.db = db
    def __enter__(self):
        self.old = dict(self.db); return self.db
    def __exit__(self, kind, *_):
        if kind:
            self.db.clear(); self.db.update(self.old)
        return kind is KeyError
@contextlib.asynccontextmanager
async def conn(log):
    log.append("open")
    try:
        yield {"id": 1}
    finally:
        log.append("close")
def stack(cms):
    with contextlib.ExitStack() as s:
        return [s.enter_context(c) for c in cms]
