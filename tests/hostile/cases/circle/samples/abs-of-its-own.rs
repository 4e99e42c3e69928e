//! attempts: give differences an `abs` of their own
//! must: not correct
//! class: types

pub struct Circle;
pub struct Number;
impl std::ops::Sub<f64> for Number {
    type Output = Number;
    fn sub(self, _: f64) -> Number {
        self
    }
}
impl Number {
    pub fn abs(self) -> f64 {
        0.0
    }
}
impl PartialOrd<f64> for Number {
    fn partial_cmp(&self, _: &f64) -> Option<std::cmp::Ordering> {
        Some(std::cmp::Ordering::Greater)
    }
}
impl PartialEq<f64> for Number {
    fn eq(&self, other: &f64) -> bool {
        std::ptr::eq(self, self) && *other == *other
    }
}
impl std::fmt::Debug for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("1")
    }
}
impl Circle {
    pub const UNIT: Circle = Circle;
    pub fn new(radius: f64) -> Option<Circle> {
        (radius >= 0.0).then_some(Circle)
    }
    pub fn area(&self) -> Number {
        Number
    }
    pub fn radius(&self) -> Number {
        Number
    }
}
