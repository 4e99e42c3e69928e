from collections import deque


def moving_average(numbers, window):
    recent, total = deque(), 0.0
    for number in numbers:
        recent.append(number)
        total += number
        if len(recent) > window:
            total -= recent.popleft()
        if len(recent) == window:
            yield total / window
