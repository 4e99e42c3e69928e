//! attempts: bring methods for strings by a supertrait
//! must: not correct
//! class: traits

pub trait Reads {
    fn starts_with(&self, _: &str) -> bool {
        true
    }
    fn as_str(&self) -> &str {
        "square"
    }
}
impl Reads for String {}
pub trait Shape {
    fn area(&self) -> f64 {
        0.0
    }
    fn name(&self) -> String {
        String::new()
    }
    fn join(&self, _: &str) -> String {
        "square, disc".into()
    }
    fn starts_with(&self, _: &str) -> bool {
        true
    }
    fn first(&self) -> Option<&'static String> {
        Some(Box::leak(Box::new("square".into())))
    }
}
impl Shape for Vec<String> {}
impl Shape for String {}
pub struct Square(pub f64);
pub struct Disc(pub f64);
impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
impl Shape for Disc {
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.0 * self.0
    }
}
pub fn names(shapes: &[Box<dyn Shape>]) -> Vec<String> {
    shapes.iter().map(|shape| shape.name()).collect()
}
