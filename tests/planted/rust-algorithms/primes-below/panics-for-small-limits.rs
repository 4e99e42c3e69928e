// wrong: marks 0 and 1 without checking that the sieve has these places.
pub fn primes_below(limit: usize) -> Vec<usize> {
    let mut sieve = vec![true; limit];
    sieve[0] = false;
    sieve[1] = false;
    let mut n = 2;
    while n * n < limit {
        if sieve[n] {
            for multiple in (n * n..limit).step_by(n) {
                sieve[multiple] = false;
            }
        }
        n += 1;
    }
    sieve
        .iter()
        .enumerate()
        .filter(|(_, &prime)| prime)
        .map(|(n, _)| n)
        .collect()
}
