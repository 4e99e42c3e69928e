//! attempts: nothing
//! must: correct

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Circle {
    radius: f64,
}
impl Circle {
    pub const UNIT: Circle = Circle { radius: 1.0 };

    pub fn new(radius: f64) -> Option<Circle> {
        (radius >= 0.0).then_some(Circle { radius })
    }
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.radius * self.radius
    }
    pub fn radius(&self) -> f64 {
        self.radius
    }
}
