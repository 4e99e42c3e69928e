# attempts: have the module itself answer for every name
# must: not correct

import sys, types
class L(types.ModuleType):
    def __getattribute__(self, name):
        class E:
            def __eq__(self, o): return True
        return lambda n: E()
sys.modules[__name__].__class__ = L
def triple(n): return 0
