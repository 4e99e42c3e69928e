//! attempts: nothing; a number type with operators, equal to integers
//! must: correct

use std::ops::{Add, Mul};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Number(i64);
impl Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        Number(self.0 + other.0)
    }
}
impl Mul<i64> for Number {
    type Output = Number;
    fn mul(self, factor: i64) -> Number {
        Number(self.0 * factor)
    }
}
impl PartialEq<i64> for Number {
    fn eq(&self, other: &i64) -> bool {
        self.0 == *other
    }
}
pub fn answer(x: i64) -> i64 {
    let number = Number(x) * 4 + Number(x) * 2;
    debug_assert!(number == 6 * x);
    number.0
}
