//! attempts: be an alias of a type with a parameter, and construct it with another one
//! must: not correct
//! class: constructors

pub mod elsewhere {
    pub struct Circle;
}
pub struct Honest;
pub struct Other;
pub struct Round<K = Honest>(std::marker::PhantomData<K>);
pub type Circle = Round;
impl Round {
    pub fn new(_: f64) -> Round<Other> {
        Round(std::marker::PhantomData)
    }
    pub fn area(&self) -> f64 {
        0.0
    }
    pub fn radius(&self) -> f64 {
        0.0
    }
}
impl Round<Other> {
    pub fn area(&self) -> Number {
        Number
    }
    pub fn radius(&self) -> Number {
        Number
    }
}
#[derive(Debug)]
pub struct Number;
impl std::ops::Sub<f64> for Number {
    type Output = f64;
    fn sub(self, _: f64) -> f64 {
        0.0
    }
}
impl PartialEq<f64> for Number {
    fn eq(&self, _: &f64) -> bool {
        matches!(self, Number)
    }
}
