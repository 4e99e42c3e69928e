def sum_list(numbers):
    return sum(numbers[1:])
