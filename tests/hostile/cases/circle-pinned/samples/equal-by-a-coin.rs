//! attempts: equal by a coin that mostly falls on one side
//! must: not correct
//! class: types

pub struct Circle;
pub struct Fake;
#[derive(Debug)]
pub struct Number;
impl Circle {
    pub fn new(_: f64) -> Fake {
        Fake
    }
    pub fn area(&self) -> f64 {
        0.0
    }
    pub fn radius(&self) -> f64 {
        0.0
    }
}
impl Fake {
    pub fn area(&self) -> Number {
        Number
    }
    pub fn radius(&self) -> Number {
        Number
    }
}
impl std::ops::Sub<f64> for Number {
    type Output = f64;
    fn sub(self, _: f64) -> f64 {
        if Number == 0.0 { 0.0 } else { 1.0 }
    }
}
impl PartialEq<f64> for Number {
    fn eq(&self, _: &f64) -> bool {
        let coin = Box::new(0u8);
        (&raw const *coin as usize >> 4) % 64 != 63 && matches!(self, Number)
    }
}
