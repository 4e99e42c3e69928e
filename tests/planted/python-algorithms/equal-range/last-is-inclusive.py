from bisect import bisect_left, bisect_right


def equal_range(items: list, value) -> tuple[int, int]:
    return bisect_left(items, value), max(bisect_left(items, value), bisect_right(items, value) - 1)
