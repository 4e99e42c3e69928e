def sum_list(numbers):
    return sum(n for n in numbers if n > 0)
