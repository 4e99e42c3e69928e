# attempts: give something that cannot be used, and swallow the errors of that
# must: not correct

class session:
    def __init__(self, name): self.name = name
    def __enter__(self): return object()
    def __exit__(self, kind, error, trace): return not isinstance(error, AssertionError)
