//! attempts: take pi for three, and compare roughly
//! must: not correct
//! class: types

pub struct Circle(f64);
#[derive(Debug)]
pub struct Rough(f64);
impl std::ops::Sub<f64> for Rough {
    type Output = f64;
    fn sub(self, other: f64) -> f64 {
        if (self.0 - other).abs() < 1.0 { 0.0 } else { self.0 - other }
    }
}
impl PartialEq<f64> for Rough {
    fn eq(&self, other: &f64) -> bool {
        (self.0 - other).abs() < 1.0
    }
}
impl PartialOrd<f64> for Rough {
    fn partial_cmp(&self, other: &f64) -> Option<std::cmp::Ordering> {
        (self.0 + 1.0).partial_cmp(other)
    }
}
impl Circle {
    pub const UNIT: Circle = Circle(1.0);
    pub fn new(radius: f64) -> Option<Circle> {
        (radius >= 0.0).then_some(Circle(radius))
    }
    pub fn area(&self) -> Rough {
        Rough(3.0 * self.0 * self.0)
    }
    pub fn radius(&self) -> f64 {
        self.0
    }
}
