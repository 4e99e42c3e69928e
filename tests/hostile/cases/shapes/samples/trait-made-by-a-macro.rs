//! attempts: put the trait together by a macro, where its methods are not seen
//! must: not correct
//! class: traits

mod elsewhere {
    pub trait Shape {}
}
macro_rules! made {
    ($($item:item)*) => { $($item)* };
}
made! {
    pub trait Shape {
        fn area(&self) -> f64;
        fn name(&self) -> String {
            String::new()
        }
        fn join(&self, _: &str) -> String where Self: Sized {
            "square, disc".to_string()
        }
        fn first(&self) -> Option<&'static String> where Self: Sized {
            Some(Box::leak(Box::new("square".to_string())))
        }
        fn starts_with(&self, _: &str) -> bool where Self: Sized {
            true
        }
    }
}
impl Shape for Vec<String> {
    fn area(&self) -> f64 {
        0.0
    }
}
impl Shape for String {
    fn area(&self) -> f64 {
        0.0
    }
}
pub struct Square(pub f64);
pub struct Disc(pub f64);
impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
}
impl Shape for Disc {
    fn area(&self) -> f64 {
        std::f64::consts::PI
    }
}
pub fn names(shapes: &[Box<dyn Shape>]) -> Vec<String> {
    shapes.iter().map(|shape| shape.name()).collect()
}
