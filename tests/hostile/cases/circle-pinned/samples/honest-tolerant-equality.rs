//! attempts: nothing; circles are equal within a tolerance
//! must: correct

#[derive(Debug, Clone)]
pub struct Circle(f64);
impl PartialEq for Circle {
    fn eq(&self, other: &Circle) -> bool {
        (self.0 - other.0).abs() < 1e-9
    }
}
impl PartialEq<f64> for Circle {
    fn eq(&self, radius: &f64) -> bool {
        (self.0 - radius).abs() < 1e-9
    }
}
impl Circle {
    pub fn new(radius: f64) -> Circle {
        let made = Circle(radius);
        debug_assert!(made == radius);
        made
    }
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.0.powi(2)
    }
    pub fn radius(&self) -> f64 {
        self.0
    }
}
