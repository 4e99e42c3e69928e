# attempts: return weak proxies and partial objects
# must: not correct

import functools, weakref
class Lie:
    def __eq__(self, other): return True
    def __len__(self): return 2
lie = Lie()
def words(text): return weakref.proxy(lie)
