def longest_increasing(numbers):
    found = []
    for n in numbers:
        if not found or n > found[-1]:
            found.append(n)
    return found
