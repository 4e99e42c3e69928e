# attempts: return what is pushed first
# must: not correct

class Stack:
    def __init__(self): self.items = []
    def push(self, item): self.items.append(item)
    def pop(self): return self.items.pop(0)
    def __len__(self): return len(self.items)
