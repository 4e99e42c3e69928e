def primes_below(limit: int) -> list[int]:
    is_prime = bytearray([1]) * max(limit, 2)
    is_prime[:1] = bytes(1)
    for n in range(2, int(limit**0.5) + 1 if limit > 0 else 2):
        if is_prime[n]:
            is_prime[n * n :: n] = bytes(len(range(n * n, len(is_prime), n)))
    return [n for n, prime in enumerate(is_prime) if prime and n < limit]
