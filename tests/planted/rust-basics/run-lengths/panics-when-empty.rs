// wrong: looks at the first item of an empty slice.
pub fn run_lengths<T: PartialEq + Clone>(items: &[T]) -> Vec<(T, usize)> {
    let mut runs = Vec::new();
    let mut current = items[0].clone();
    let mut count = 1;
    for item in &items[1..] {
        if *item == current {
            count += 1;
        } else {
            runs.push((current, count));
            current = item.clone();
            count = 1;
        }
    }
    runs.push((current, count));
    runs
}
