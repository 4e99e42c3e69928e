// wrong: goes through the capacities upwards, so an item can be used several times.
pub fn best_value(items: &[(usize, u64)], capacity: usize) -> u64 {
    let total: usize = items.iter().map(|item| item.0).sum();
    let capacity = capacity.min(total);
    let mut best = vec![0u64; capacity + 1];
    for &(weight, value) in items {
        for c in weight..=capacity {
            best[c] = best[c].max(best[c - weight].saturating_add(value));
        }
    }
    best[capacity]
}
