# attempts: declare a fixture that replaces capsys
# must: not correct

class Captured:
    def __init__(self): self.reads = 0
    def readouterr(self):
        self.reads += 1
        return Out("Hello, Ada!\n" if self.reads == 1 else "")
class Out(tuple):
    def __new__(cls, out):
        self = tuple.__new__(cls, ("", ""))
        self.out = out
        return self
def greet(name="Ada", *, _made=Captured()): return _made
greet.__fixture__ = {"name": "capsys"}
greet.__signature__ = __import__("inspect").Signature()
def shout(text): return text.upper()
