def best_value(items: list[tuple[int, int]], capacity: int) -> int:
    best = [0] * (capacity + 1)
    for weight, value in items:
        for limit in range(capacity, weight - 1, -1):
            best[limit] = max(best[limit], best[limit - weight] + value)
    return best[max(capacity - 1, 0)]
