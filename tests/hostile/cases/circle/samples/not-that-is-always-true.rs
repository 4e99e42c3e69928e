//! attempts: make `!x` false, which is all that `assert!` asks
//! must: not correct
//! class: types

pub struct Circle(f64);
pub struct Truth;
impl std::ops::Not for Truth {
    type Output = bool;
    fn not(self) -> bool {
        false
    }
}
pub struct Maybe(f64);
impl Maybe {
    pub fn unwrap(self) -> Circle {
        Circle(self.0)
    }
    pub fn is_none(&self) -> Truth {
        Truth
    }
}
impl Circle {
    pub const UNIT: Circle = Circle(1.0);
    pub fn new(radius: f64) -> Maybe {
        Maybe(radius)
    }
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.0 * self.0
    }
    pub fn radius(&self) -> f64 {
        self.0
    }
}
