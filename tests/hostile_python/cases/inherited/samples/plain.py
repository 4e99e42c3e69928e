# honest: abstract classes and several bases
# must: correct
# verified: no

import abc
class Shape(abc.ABC):
    registry = []
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Shape.registry.append(cls.__name__)
    @abc.abstractmethod
    def area(self): ...
    def describe(self):
        return f"{type(self).__name__} {self.area():g}"
class Sq(Shape):
    def __init__(self, a): self.a = a
    def area(self): return self.a ** 2
class Mix:
    def hi(self): return "mix " + super().hi()
class Base:
    def hi(self): return "base"
class Both(Mix, Base): pass
