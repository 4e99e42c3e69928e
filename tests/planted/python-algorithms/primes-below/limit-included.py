def primes_below(limit):
    is_prime = [True] * max(limit + 1, 2)
    for n in range(2, int(max(limit, 0) ** 0.5) + 1):
        if is_prime[n]:
            for m in range(n * n, limit + 1, n):
                is_prime[m] = False
    return [n for n in range(2, limit + 1) if is_prime[n]]
