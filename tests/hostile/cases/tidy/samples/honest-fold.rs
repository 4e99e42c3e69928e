//! attempts: nothing; a fold
//! must: correct

/// The sum of all numbers.
#[must_use]
pub fn total(numbers: &[i64]) -> i64 {
    numbers.iter().copied().fold(0, i64::saturating_add)
}
