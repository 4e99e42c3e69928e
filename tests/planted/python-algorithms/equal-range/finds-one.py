from bisect import bisect_left


def equal_range(items, value):
    start = bisect_left(items, value)
    return (start, start + 1) if start < len(items) and items[start] == value else (start, start)
