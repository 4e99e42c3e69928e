class DisjointSets:
    def __init__(self, items):
        self._parents = {item: item for item in items}
        self._sizes = dict.fromkeys(self._parents, 1)
        self.count = len(self._parents)

    def _find(self, item):
        parents = self._parents
        while parents[item] != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def union(self, a, b):
        first, second = self._find(a), self._find(b)
        if first == second:
            self.count -= 1
            return False
        if self._sizes[first] < self._sizes[second]:
            first, second = second, first
        self._parents[second] = first
        self._sizes[first] += self._sizes[second]
        self.count -= 1
        return True

    def connected(self, a, b):
        return self._find(a) == self._find(b)

    def groups(self):
        groups = {}
        for item in self._parents:
            groups.setdefault(self._find(item), []).append(item)
        return list(groups.values())
