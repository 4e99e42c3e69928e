def add(a, b):
    return int(str(a) + str(b))
