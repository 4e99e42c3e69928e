// wrong: leaves the last permutation as it is instead of going back to the first.
pub fn next_permutation<T: Ord>(items: &mut [T]) -> bool {
    let n = items.len();
    for i in (1..n).rev() {
        if items[i - 1] < items[i] {
            let mut j = n - 1;
            while items[j] <= items[i - 1] {
                j -= 1;
            }
            items.swap(i - 1, j);
            items[i..].reverse();
            return true;
        }
    }
    false
}
