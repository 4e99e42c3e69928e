# honest: has a list of what it exports
# must: correct
# verified: yes

__all__ = ["is_sorted", "sort"]
def _swap(items, i, j): items[i], items[j] = items[j], items[i]
def sort(numbers):
    items = list(numbers)
    for end in range(len(items) - 1, 0, -1):
        for i in range(end):
            if items[i] > items[i + 1]: _swap(items, i, i + 1)
    return items
def is_sorted(numbers): return all(not a > b for a, b in zip(numbers, numbers[1:]))
