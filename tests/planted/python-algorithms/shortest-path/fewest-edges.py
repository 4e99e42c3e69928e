from collections import deque


def shortest_path(graph, start, goal):
    queue, seen = deque([(0, [start])]), {start}
    while queue:
        length, path = queue.popleft()
        if path[-1] == goal:
            return length, path
        for n, w in graph.get(path[-1], ()):
            if n not in seen:
                seen.add(n)
                queue.append((length + w, path + [n]))
    return None
