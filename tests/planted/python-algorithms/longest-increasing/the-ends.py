from bisect import bisect_left


def longest_increasing(numbers: list[int]) -> list[int]:
    ends, indices, before = [], [], []
    for index, number in enumerate(numbers):
        length = bisect_left(ends, number)
        before.append(indices[length - 1] if length else None)
        ends[length : length + 1] = [number]
        indices[length : length + 1] = [index]
    return ends
