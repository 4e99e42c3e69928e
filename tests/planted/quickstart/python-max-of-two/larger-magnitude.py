def max_of_two(a, b):
    return max(a, b, key=abs)
