import itertools


def moving_average(numbers, window):
    numbers = list(itertools.islice(numbers, 10000))
    for i in range(len(numbers) - window + 1):
        yield sum(numbers[i:i + window]) / window
