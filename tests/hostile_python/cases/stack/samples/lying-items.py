# attempts: return objects that equal everything
# must: not correct

class Item:
    def __eq__(self, other): return True
class Stack:
    def push(self, item): pass
    def pop(self): return Item()
    def __len__(self): return 1
