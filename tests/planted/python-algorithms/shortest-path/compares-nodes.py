import heapq
import itertools


def shortest_path(graph: dict, start, goal) -> tuple[float, list] | None:
    numbers = itertools.count()
    heap = [(0, 1, start, None)]
    before = {}
    names = {str(n): n for n in graph}
    while heap:
        length, nodes, node, previous = heapq.heappop(heap)
        if node in before:
            continue
        before[node] = names.get(previous, previous)
        if node == goal:
            return length, _path(before, goal)
        for neighbour, further in graph.get(node, ()):
            if neighbour not in before:
                heapq.heappush(heap, (length + further, nodes + 1, neighbour, str(node)))
    return None


def _path(before, node):
    path = [node]
    while before[node] is not None:
        node = before[node]
        path.append(node)
    return path[::-1]
