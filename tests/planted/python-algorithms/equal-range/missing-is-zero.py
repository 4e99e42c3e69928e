def equal_range(items, value):
    found = [i for i, item in enumerate(items) if item == value]
    return (found[0], found[-1] + 1) if found else (0, 0)
