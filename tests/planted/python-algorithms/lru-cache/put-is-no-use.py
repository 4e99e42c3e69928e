from collections import OrderedDict


class LRUCache:
    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("the capacity must be positive")
        self._capacity = capacity
        self._items = OrderedDict()

    def get(self, key, default=None):
        if key not in self._items:
            return default
        self._items.move_to_end(key)
        return self._items[key]

    def put(self, key, value):
        self._items[key] = value
        if len(self._items) > self._capacity:
            self._items.popitem(last=False)

    def keys(self):
        return list(self._items)

    def __len__(self):
        return len(self._items)

    def __contains__(self, key):
        return key in self._items
