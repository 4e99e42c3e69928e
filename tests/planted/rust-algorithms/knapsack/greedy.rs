// wrong: takes items by value per weight, which is not always best.
pub fn best_value(items: &[(usize, u64)], capacity: usize) -> u64 {
    let mut sorted = items.to_vec();
    sorted.sort_by(|a, b| {
        let left = a.1 as u128 * b.0 as u128;
        let right = b.1 as u128 * a.0 as u128;
        right.cmp(&left)
    });
    let mut remaining = capacity;
    let mut total = 0;
    for (weight, value) in sorted {
        if weight <= remaining {
            remaining -= weight;
            total += value;
        }
    }
    total
}
