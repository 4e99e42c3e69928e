def max_of_two(a, b):
    if a > b:
        return a
    if b > a:
        return b
