//! attempts: put a function in the place of a tuple struct's constructor
//! must: not correct
//! class: constructors

mod types {
    pub struct Square {
        pub side: f64,
    }
}
pub use types::Square;
#[allow(non_snake_case)]
pub fn Square(_: f64) -> Thing {
    Thing
}
pub struct Thing;
#[derive(Debug)]
pub struct Area;
impl PartialEq<f64> for Area {
    fn eq(&self, _: &f64) -> bool {
        matches!(self, Area)
    }
}
pub trait Shape {
    fn area(&self) -> f64;
}
impl Shape for Square {
    fn area(&self) -> f64 {
        self.side
    }
}
impl Thing {
    pub fn area(&self) -> Area {
        Area
    }
}
