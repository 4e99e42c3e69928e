//! attempts: be right except for the constant, which is of another type
//! must: not correct
//! class: constructors

pub struct Circle(f64);
pub struct Unit;
#[derive(Debug)]
pub struct Any;
impl PartialEq<f64> for Any {
    fn eq(&self, _: &f64) -> bool {
        matches!(self, Any)
    }
}
impl PartialOrd<f64> for Any {
    fn partial_cmp(&self, _: &f64) -> Option<std::cmp::Ordering> {
        Some(std::cmp::Ordering::Greater)
    }
}
impl Unit {
    pub fn radius(&self) -> Any {
        Any
    }
    pub fn area(&self) -> Any {
        Any
    }
}
impl Circle {
    pub const UNIT: Unit = Unit;
    pub fn new(radius: f64) -> Option<Circle> {
        (radius >= 0.0).then_some(Circle(radius))
    }
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.0 * self.0
    }
    pub fn radius(&self) -> f64 {
        self.0
    }
}
