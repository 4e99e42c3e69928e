import math
from collections import deque


def moving_average(numbers, window: int):
    recent = deque(maxlen=window)
    for number in numbers:
        recent.append(number)
        yield math.fsum(recent) / len(recent)
