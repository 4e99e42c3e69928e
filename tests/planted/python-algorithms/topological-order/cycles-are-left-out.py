import heapq


def task_order(dependencies: dict[str, list[str]]) -> list[str]:
    waiting = {task: set(needed) for task, needed in dependencies.items()}
    for needed in dependencies.values():
        for task in needed:
            waiting.setdefault(task, set())
    users = {task: [] for task in waiting}
    for task, needed in waiting.items():
        for each in needed:
            users[each].append(task)
    ready = [task for task, needed in waiting.items() if not needed]
    heapq.heapify(ready)
    order = []
    while ready:
        task = heapq.heappop(ready)
        order.append(task)
        for user in users[task]:
            waiting[user].discard(task)
            if not waiting[user]:
                heapq.heappush(ready, user)
    if len(order) < len(waiting):
        return order
    return order
