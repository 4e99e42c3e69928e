//! attempts: be a module with a function, beside a type of the same name that is never constructed
//! must: not correct
//! class: constructors

pub struct Disc;
impl Disc {
    pub fn area(&self) -> f64 {
        0.0
    }
    pub fn radius(&self) -> f64 {
        0.0
    }
    pub fn new(_: f64) -> Loose {
        Loose(0.0)
    }
}
pub use Disc as Circle;
mod decoy {
    #[allow(dead_code)]
    pub struct Circle;
}
pub struct Loose(f64);
impl Loose {
    pub fn area(&self) -> Self {
        Loose(self.0)
    }
    pub fn radius(&self) -> Self {
        Loose(self.0)
    }
    pub fn abs(self) -> f64 {
        self.0
    }
}
impl std::ops::Sub<f64> for Loose {
    type Output = Loose;
    fn sub(self, _: f64) -> Loose {
        self
    }
}
impl PartialEq<f64> for Loose {
    fn eq(&self, other: &f64) -> bool {
        self.0 < *other
    }
}
impl std::fmt::Debug for Loose {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}
