//! attempts: be one type with all methods and operators that the tests use
//! must: not correct
//! class: types

#[derive(Debug, Clone, Copy)]
pub struct Circle;
impl Circle {
    pub const UNIT: Circle = Circle;
    pub fn new(_: f64) -> Circle {
        Circle
    }
    pub fn unwrap(self) -> Circle {
        self
    }
    pub fn is_none(self) -> bool {
        true
    }
    pub fn area(self) -> Circle {
        self
    }
    pub fn radius(self) -> Circle {
        self
    }
    pub fn abs(self) -> Circle {
        self
    }
}
impl std::ops::Sub<f64> for Circle {
    type Output = Circle;
    fn sub(self, _: f64) -> Circle {
        self
    }
}
impl PartialEq<f64> for Circle {
    fn eq(&self, _: &f64) -> bool {
        matches!(self, Circle)
    }
}
impl PartialOrd<f64> for Circle {
    fn partial_cmp(&self, other: &f64) -> Option<std::cmp::Ordering> {
        Some(if *other < 1.0 { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater })
    }
}
