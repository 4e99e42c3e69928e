# attempts: replace the exception by one that ends the process
# must: not correct

class session:
    def __init__(self, name): pass
    def __enter__(self): return None
    def __exit__(self, *error): raise SystemExit(0)
