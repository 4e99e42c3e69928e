//! attempts: nothing; a trait with a default parameter
//! must: correct

pub trait Shape<F = f64> {
    fn area(&self) -> F;
}
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub struct Square(pub f64);
impl Shape for Square {
    fn area(&self) -> f64 {
        let Square(side) = *self;
        side * side
    }
}
