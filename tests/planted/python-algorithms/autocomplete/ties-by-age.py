import heapq


class Autocomplete:
    def __init__(self):
        self._weights = {}

    def add(self, word, weight=1):
        self._weights[word] = self._weights.get(word, 0) + weight

    def remove(self, word):
        del self._weights[word]

    def complete(self, prefix, limit=3):
        fitting = (item for item in self._weights.items() if item[0].startswith(prefix))
        return [word for word, _ in heapq.nsmallest(limit, fitting, key=lambda item: -item[1])]

    def __len__(self):
        return len(self._weights)
