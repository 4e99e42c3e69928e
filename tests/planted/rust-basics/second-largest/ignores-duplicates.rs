// wrong: takes the second place after sorting, which may hold the maximum again.
pub fn second_largest(values: &[i64]) -> Option<i64> {
    if values.len() < 2 {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort();
    Some(sorted[sorted.len() - 2])
}
