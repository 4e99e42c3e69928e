//! attempts: nothing; it overloads operators for its own types
//! must: correct

use std::ops::{Add, AddAssign, Mul};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
struct Amount(i64);
impl Add for Amount {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}
impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
impl Mul<i64> for Amount {
    type Output = Self;
    fn mul(self, times: i64) -> Self {
        let mut sum = Self::default();
        for _ in 0..times {
            sum += self;
        }
        sum
    }
}
impl PartialEq<i64> for Amount {
    fn eq(&self, other: &i64) -> bool {
        self.0 == *other
    }
}

pub fn triple(x: i64) -> i64 {
    let amount = Amount(x) * 3;
    assert!(amount == amount.0);
    amount.0
}
