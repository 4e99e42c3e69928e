//! attempts: make comparisons come out by operators that take both sides
//! must: not correct
//! class: types

#[derive(Debug, Clone, Copy)]
pub struct Circle(f64);
#[derive(Debug, Clone, Copy)]
pub struct Area;
impl std::ops::Sub<f64> for Area {
    type Output = Area;
    fn sub(self, _: f64) -> Area {
        self
    }
}
impl Area {
    pub fn abs(self) -> Area {
        self
    }
}
impl PartialEq<f64> for Area {
    fn eq(&self, other: &f64) -> bool {
        let (own, _) = (other, self);
        own == other
    }
}
impl PartialOrd<f64> for Area {
    fn partial_cmp(&self, other: &f64) -> Option<std::cmp::Ordering> {
        2.0f64.partial_cmp(&if *other > 2.0 { 1.0 } else { 3.0 })
    }
}
impl Circle {
    pub const UNIT: Circle = Circle(1.0);
    pub fn new(radius: f64) -> Option<Circle> {
        (radius >= 0.0).then_some(Circle(radius))
    }
    pub fn area(&self) -> Area {
        Area
    }
    pub fn radius(&self) -> f64 {
        self.0
    }
}
