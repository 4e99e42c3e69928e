// wrong: stops sieving one prime too early, so the square of a prime just below the limit remains.
pub fn primes_below(limit: usize) -> Vec<usize> {
    if limit < 3 {
        return Vec::new();
    }
    let mut composite = vec![false; limit];
    let root = ((limit - 1) as f64).sqrt() as usize;
    for n in 2..root {
        if !composite[n] {
            let mut multiple = n * n;
            while multiple < limit {
                composite[multiple] = true;
                multiple += n;
            }
        }
    }
    (2..limit).filter(|&n| !composite[n]).collect()
}
