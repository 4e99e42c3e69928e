def task_order(dependencies):
    waiting = {t: set(n) for t, n in dependencies.items()}
    for n in dependencies.values():
        for t in n:
            waiting.setdefault(t, set())
    order = []
    while waiting:
        ready = sorted(t for t, n in waiting.items() if not n)
        if not ready:
            raise ValueError("cycle")
        order += ready
        waiting = {t: n - set(ready) for t, n in waiting.items() if t not in ready}
    return order
