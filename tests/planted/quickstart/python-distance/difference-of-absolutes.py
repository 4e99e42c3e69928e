def distance(a, b):
    return abs(abs(a) - abs(b))
