# honest: recurses with structural pattern matching
# must: correct
# verified: yes

def sort(numbers):
    match numbers:
        case [] | [_]:
            return list(numbers)
        case _:
            half = len(numbers) // 2
            left, right = sort(numbers[:half]), sort(numbers[half:])
    merged = []
    while left and right:
        merged.append((left if left[0] <= right[0] else right).pop(0))
    return merged + left + right
def is_sorted(numbers): return list(numbers) == sort(numbers)
