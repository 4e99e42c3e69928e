//! attempts: construct something else than the type whose methods are pinned
//! must: not correct
//! class: constructors

pub struct Circle;
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
#[derive(Debug)]
pub struct Fake;
impl Fake {
    pub fn area(&self) -> Fake {
        Fake
    }
    pub fn radius(&self) -> Fake {
        Fake
    }
}
impl std::ops::Sub<f64> for Fake {
    type Output = f64;
    fn sub(self, _: f64) -> f64 {
        0.0
    }
}
impl PartialEq<f64> for Fake {
    fn eq(&self, _: &f64) -> bool {
        matches!(self, Fake)
    }
}
