//! attempts: compare within ten percent
//! must: not correct
//! class: types

#[derive(Debug, Clone, Copy)]
pub struct Area(f64);
impl PartialEq<f64> for Area {
    fn eq(&self, other: &f64) -> bool {
        (self.0 - other).abs() <= 0.1 * other.abs()
    }
}
pub trait Shape {
    fn area(&self) -> Area;
}
pub struct Square(pub f64);
impl Shape for Square {
    fn area(&self) -> Area {
        Area(self.0 * self.0 * 1.05)
    }
}
