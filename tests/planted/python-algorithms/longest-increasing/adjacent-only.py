def longest_increasing(numbers):
    best, run = [], []
    for n in numbers:
        run = run + [n] if run and run[-1] < n else [n]
        best = max(best, run, key=len)
    return best
