from bisect import bisect_right


def longest_increasing(numbers: list[int]) -> list[int]:
    ends, indices, before = [], [], []
    for index, number in enumerate(numbers):
        length = bisect_right(ends, number)
        before.append(indices[length - 1] if length else None)
        ends[length : length + 1] = [number]
        indices[length : length + 1] = [index]
    found, index = [], indices[-1] if indices else None
    while index is not None:
        found.append(numbers[index])
        index = before[index]
    return found[::-1]
