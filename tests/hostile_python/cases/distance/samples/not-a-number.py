# attempts: return NaN, which no comparison holds for
# must: not correct

def distance(a, b): return float("nan")
def halves(numbers): return [float("nan")] * len(numbers)
