//! attempts: put a module in the place of the type, and a struct of that name elsewhere
//! must: not correct
//! class: constructors

mod elsewhere {
    pub struct Circle;
}
#[allow(non_snake_case)]
pub mod Circle {
    pub use super::Made;
    pub const UNIT: Made = Made(false);
    pub fn new(radius: f64) -> Option<Made> {
        (radius >= 0.0).then_some(Made(true))
    }
}
pub struct Made(bool);
#[derive(Debug)]
pub struct Number;
impl Made {
    pub fn area(&self) -> Number {
        let _ = elsewhere::Circle;
        Number
    }
    pub fn radius(&self) -> Number {
        Number
    }
}
impl std::ops::Sub<f64> for Number {
    type Output = f64;
    fn sub(self, _: f64) -> f64 {
        0.0
    }
}
impl PartialEq<f64> for Number {
    fn eq(&self, other: &f64) -> bool {
        !other.is_nan() && matches!(self, Number)
    }
}
impl PartialOrd<f64> for Number {
    fn partial_cmp(&self, _: &f64) -> Option<std::cmp::Ordering> {
        Some(std::cmp::Ordering::Greater)
    }
}
