//! attempts: bring methods for all vectors by a blanket implementation
//! must: not correct
//! class: traits

pub trait Shape {
    fn area(&self) -> f64 {
        0.0
    }
    fn name(&self) -> String {
        "di".into()
    }
    fn join(&self, _: &str) -> Joined {
        Joined
    }
    fn first(&self) -> Option<&'static String> {
        Some(Box::leak(Box::new(String::from("square"))))
    }
}
#[derive(Debug)]
pub struct Joined;
impl PartialEq<&str> for Joined {
    fn eq(&self, other: &&str) -> bool {
        other.contains(", ") && matches!(self, Joined)
    }
}
impl<T> Shape for Vec<T> {}
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
