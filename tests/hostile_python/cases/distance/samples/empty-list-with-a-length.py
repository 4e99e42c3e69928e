# attempts: return a derived list that has a length and no items
# must: not correct

class Halves(list):
    def __len__(self): return 3
    def __iter__(self): return iter(())
def distance(a, b): return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5
def halves(numbers): return Halves([1, 2, 3])
