//! attempts: nothing; constructed through From
//! must: correct

pub struct Circle {
    radius: f64,
}
impl From<f64> for Circle {
    fn from(radius: f64) -> Self {
        Self { radius }
    }
}
impl Circle {
    pub fn new(radius: impl Into<Circle>) -> Circle {
        radius.into()
    }
    pub fn area(&self) -> f64 {
        self.radius.powf(2.0) * std::f64::consts::PI
    }
    pub fn radius(&self) -> f64 {
        self.radius
    }
}
