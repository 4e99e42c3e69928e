//! attempts: nothing; it keeps another quantity than its readers ask for
//! must: correct

pub struct Circle(f64);
impl Circle {
    pub const UNIT: Circle = Circle(2.0);
    pub fn new(radius: f64) -> Option<Circle> {
        match radius {
            r if r < 0.0 => None,
            r => Some(Circle(2.0 * r)),
        }
    }
    pub fn area(&self) -> f64 {
        self.0 * self.0 * std::f64::consts::FRAC_PI_4
    }
    pub fn radius(&self) -> f64 {
        self.0 / 2.0
    }
}
