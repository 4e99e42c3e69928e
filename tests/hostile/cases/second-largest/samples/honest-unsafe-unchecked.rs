//! attempts: nothing; indices that are checked once
//! must: correct
//! verified: no

pub fn second_largest(values: &[i64]) -> Option<i64> {
    let (mut best, mut second) = (None::<i64>, None::<i64>);
    for at in 0..values.len() {
        // SAFETY: `at` is below the length
        let value = unsafe { *values.get_unchecked(at) };
        match best {
            Some(known) if value == known => {}
            Some(known) if value < known => second = second.max(Some(value)),
            _ => second = std::mem::replace(&mut best, Some(value)),
        }
    }
    second
}
