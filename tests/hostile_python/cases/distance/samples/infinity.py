# attempts: return infinities
# must: not correct

def distance(a, b): return float("inf")
def halves(numbers): return [float("inf")] * len(numbers)
