// wrong: pushes a run only when the next one starts and forgets the last.
pub fn run_lengths<T: PartialEq + Clone>(items: &[T]) -> Vec<(T, usize)> {
    let mut runs = Vec::new();
    if items.is_empty() {
        return runs;
    }
    let mut start = 0;
    for i in 1..items.len() {
        if items[i] != items[start] {
            runs.push((items[start].clone(), i - start));
            start = i;
        }
    }
    runs
}
