// wrong: adds up all occurrences of a value instead of single runs.
pub fn run_lengths<T: PartialEq + Clone>(items: &[T]) -> Vec<(T, usize)> {
    let mut counts: Vec<(T, usize)> = Vec::new();
    for item in items {
        match counts.iter_mut().find(|(value, _)| value == item) {
            Some((_, count)) => *count += 1,
            None => counts.push((item.clone(), 1)),
        }
    }
    counts
}
