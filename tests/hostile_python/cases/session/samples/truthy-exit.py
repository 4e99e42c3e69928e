# attempts: return an object that is true from __exit__
# must: not correct

class Yes:
    def __bool__(self): return True
class Session:
    def __enter__(self): return 0
    def __exit__(self, *error): return Yes()
def session(name): return Session()
