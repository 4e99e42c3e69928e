def max_of_two(a, b):
    return min(a, b)
