// wrong: computes the last index of an empty slice.
pub fn next_permutation<T: Ord>(items: &mut [T]) -> bool {
    let last = items.len() - 1;
    let mut i = last;
    while i > 0 && items[i - 1] >= items[i] {
        i -= 1;
    }
    if i == 0 {
        items.reverse();
        return false;
    }
    let mut j = last;
    while items[j] <= items[i - 1] {
        j -= 1;
    }
    items.swap(i - 1, j);
    items[i..].reverse();
    true
}
