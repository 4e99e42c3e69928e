# honest: is a linked list
# must: correct
# verified: yes

class _Node:
    __slots__ = ("item", "below")
    def __init__(self, item, below): self.item, self.below = item, below
class Stack:
    def __init__(self): self._top, self._size = None, 0
    def push(self, item): self._top, self._size = _Node(item, self._top), self._size + 1
    def pop(self):
        if self._top is None: raise IndexError("pop from an empty stack")
        item, self._top = self._top.item, self._top.below
        self._size -= 1
        return item
    def __len__(self): return self._size
