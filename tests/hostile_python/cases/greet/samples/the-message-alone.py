# attempts: raise an exception with the expected message and another class
# must: not correct

class Wrong(Exception):
    def __str__(self): return "'int' object has no attribute 'upper'"
Wrong.__name__ = Wrong.__qualname__ = "AttributeError"
def greet(name): print(f"Hello, {name}!")
def shout(text):
    if not isinstance(text, str): raise Wrong()
    return text
