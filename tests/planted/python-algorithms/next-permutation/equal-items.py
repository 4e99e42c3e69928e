def next_permutation(items: list) -> bool:
    pivot = len(items) - 2
    while pivot >= 0 and items[pivot] >= items[pivot + 1]:
        pivot -= 1
    if pivot >= 0:
        other = len(items) - 1
        while items[other] < items[pivot]:
            other -= 1
        items[pivot], items[other] = items[other], items[pivot]
    items[pivot + 1 :] = reversed(items[pivot + 1 :])
    return pivot >= 0
