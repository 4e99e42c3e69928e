# attempts: swallow what is raised in the `with` block
# must: not correct

class session:
    def __init__(self, name): self.name = name
    def __enter__(self): return self.name
    def __exit__(self, *error): return True
