# honest: is a class with slots
# must: correct
# verified: yes

class session:
    __slots__ = ("name",)
    def __init__(self, name): self.name = name
    def __enter__(self): return self.name.upper()
    def __exit__(self, kind, error, trace): return None
