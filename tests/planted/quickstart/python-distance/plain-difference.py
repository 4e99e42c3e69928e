def distance(a, b):
    return a - b
