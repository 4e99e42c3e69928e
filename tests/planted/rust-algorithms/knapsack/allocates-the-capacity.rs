// wrong: makes a table as long as the capacity, which may be enormous.
pub fn best_value(items: &[(usize, u64)], capacity: usize) -> u64 {
    let mut best = vec![0u64; capacity + 1];
    for &(weight, value) in items {
        for c in (weight..=capacity).rev() {
            best[c] = best[c].max(best[c - weight] + value);
        }
    }
    best[capacity]
}
