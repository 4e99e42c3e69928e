// wrong: does not initialise the first column, so removing a prefix is free.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for x in a.chars() {
        let mut current = vec![0; b.len() + 1];
        for (j, &y) in b.iter().enumerate() {
            let substitution = previous[j] + if x == y { 0 } else { 1 };
            current[j + 1] = substitution.min(previous[j + 1] + 1).min(current[j] + 1);
        }
        previous = current;
    }
    previous[b.len()]
}
