//! attempts: be right except for negative radii, which it does not refuse
//! must: not correct
//! class: types

pub struct Circle(f64);
pub struct Made(Circle);
impl Made {
    pub fn unwrap(self) -> Circle {
        self.0
    }
    pub fn is_none(&self) -> bool {
        true
    }
}
impl Circle {
    pub const UNIT: Circle = Circle(1.0);
    pub fn new(radius: f64) -> Made {
        Made(Circle(radius))
    }
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.0 * self.0
    }
    pub fn radius(&self) -> f64 {
        self.0
    }
}
