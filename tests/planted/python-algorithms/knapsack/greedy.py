def best_value(items, capacity):
    total = 0
    for w, v in sorted(items, key=lambda i: i[1] / i[0] if i[0] else float("inf"), reverse=True):
        if w <= capacity:
            capacity, total = capacity - w, total + v
    return total
