//! attempts: subtract to nothing
//! must: not correct
//! class: types

pub struct Circle(f64);
pub struct Area(f64);
impl std::ops::Sub<f64> for Area {
    type Output = f64;
    fn sub(self, other: f64) -> f64 {
        (self.0 + other) - (self.0 + other)
    }
}
impl PartialEq<f64> for Area {
    fn eq(&self, other: &f64) -> bool {
        self.0 == *other
    }
}
impl PartialOrd<f64> for Area {
    fn partial_cmp(&self, other: &f64) -> Option<std::cmp::Ordering> {
        (self.0 + other + 1.0).partial_cmp(other)
    }
}
impl Circle {
    pub const UNIT: Circle = Circle(1.0);
    pub fn new(radius: f64) -> Option<Circle> {
        (radius >= 0.0).then_some(Circle(radius))
    }
    pub fn area(&self) -> Area {
        Area(0.0)
    }
    pub fn radius(&self) -> f64 {
        self.0
    }
}
