// wrong: includes the limit itself.
pub fn primes_below(limit: usize) -> Vec<usize> {
    let mut is_prime = vec![true; limit + 1];
    let mut primes = Vec::new();
    for n in 2..=limit {
        if is_prime[n] {
            primes.push(n);
            let mut multiple = n * n;
            while multiple <= limit {
                is_prime[multiple] = false;
                multiple += n;
            }
        }
    }
    primes
}
