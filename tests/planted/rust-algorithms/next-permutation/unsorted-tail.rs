// wrong: swaps the right two items but leaves the tail in descending order.
pub fn next_permutation<T: Ord>(items: &mut [T]) -> bool {
    let Some(pivot) = items.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        items.reverse();
        return false;
    };
    let successor = (pivot + 1..items.len())
        .rev()
        .find(|&i| items[i] > items[pivot])
        .unwrap_or(pivot + 1);
    items.swap(pivot, successor);
    true
}
