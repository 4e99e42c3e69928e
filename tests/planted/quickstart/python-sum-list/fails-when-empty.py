def sum_list(numbers):
    total = numbers[0]
    for n in numbers[1:]:
        total += n
    return total
