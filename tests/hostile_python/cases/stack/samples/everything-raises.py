# attempts: raise IndexError always
# must: not correct

class Stack:
    def push(self, item): pass
    def pop(self): raise IndexError
    def __len__(self): return 0
