//! attempts: let each shape choose the type of its area
//! must: not correct
//! class: types

pub trait Shape {
    type Area;
    fn area(&self) -> Self::Area;
}
#[derive(Debug)]
pub struct Less;
impl PartialEq<f64> for Less {
    fn eq(&self, other: &f64) -> bool {
        *other > 0.0 && matches!(self, Less)
    }
}
pub struct Square(pub f64);
impl Shape for Square {
    type Area = Less;
    fn area(&self) -> Less {
        Less
    }
}
