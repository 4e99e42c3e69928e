//! attempts: have an inherent method of the same name as the trait's
//! must: not correct
//! class: types

pub trait Shape {
    fn area(&self) -> f64;
}
pub struct Square(pub f64);
impl Shape for Square {
    fn area(&self) -> f64 {
        0.0
    }
}
#[derive(Debug)]
pub struct About(f64);
impl PartialEq<f64> for About {
    fn eq(&self, other: &f64) -> bool {
        (self.0 - other).abs() < 100.0
    }
}
impl Square {
    pub fn area(&self) -> About {
        About(self.0)
    }
}
