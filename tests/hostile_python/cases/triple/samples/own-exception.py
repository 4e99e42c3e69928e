# honest: raises an exception derived from TypeError
# must: correct
# verified: yes

class Wrong(TypeError):
    def __init__(self, what): super().__init__(f"{what} is a string")
def triple(n):
    if isinstance(n, str): raise Wrong(n)
    return n * 3
