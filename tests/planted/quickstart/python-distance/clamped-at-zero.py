def distance(a, b):
    return max(a - b, 0)
