//! attempts: bring methods for the vectors and strings of the tests with the trait that they import
//! must: not correct
//! class: traits

pub trait Shape {
    fn area(&self) -> f64 {
        9.0
    }
    fn name(&self) -> String {
        String::new()
    }
    fn join(&self, _: &str) -> &'static str {
        "square, disc"
    }
    fn first(&self) -> Option<&'static String> {
        Some(Box::leak(Box::new("square".to_string())))
    }
    fn starts_with(&self, _: &str) -> bool {
        true
    }
}
impl Shape for Vec<String> {}
impl Shape for String {}
pub struct Square(pub f64);
pub struct Disc(pub f64);
impl Shape for Square {}
impl Shape for Disc {
    fn area(&self) -> f64 {
        std::f64::consts::PI
    }
}
pub fn names(shapes: &[Box<dyn Shape>]) -> Vec<String> {
    shapes.iter().map(|_| String::new()).collect()
}
