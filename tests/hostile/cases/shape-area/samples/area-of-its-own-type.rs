//! attempts: let the trait's method return a type of its own
//! must: not correct
//! class: types

pub trait Shape {
    fn area(&self) -> Area;
}
#[derive(Debug)]
pub struct Area;
impl PartialEq<f64> for Area {
    fn eq(&self, _: &f64) -> bool {
        matches!(self, Area)
    }
}
pub struct Square(pub f64);
impl Shape for Square {
    fn area(&self) -> Area {
        Area
    }
}
