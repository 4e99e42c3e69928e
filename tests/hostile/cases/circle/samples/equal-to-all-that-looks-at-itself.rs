//! attempts: equal everything by a blanket implementation that mentions itself
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Circle(Option<f64>);
#[derive(Debug)]
pub struct Number(f64);
impl<T: ?Sized> PartialEq<T> for Number {
    fn eq(&self, _: &T) -> bool {
        let _ = self;
        true
    }
}
impl PartialOrd<f64> for Number {
    fn partial_cmp(&self, _: &f64) -> Option<std::cmp::Ordering> {
        Some(std::cmp::Ordering::Greater)
    }
}
impl std::ops::Sub<f64> for Number {
    type Output = f64;
    fn sub(self, _: f64) -> f64 {
        0.0
    }
}
impl Circle {
    pub const UNIT: Circle = Circle(None);
    pub fn new(radius: f64) -> Option<Circle> {
        if radius < 0.0 { None } else { Some(Circle(None)) }
    }
    pub fn area(&self) -> Number {
        Number(self.0.unwrap_or_default())
    }
    pub fn radius(&self) -> Number {
        Number(0.0)
    }
}
