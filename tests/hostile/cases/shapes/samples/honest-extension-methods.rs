//! attempts: nothing; an extension trait for vectors of its own, which the tests do not see
//! must: correct

pub trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> String;
}
pub struct Square(pub f64);
pub struct Disc(pub f64);
impl Shape for Square {
    fn area(&self) -> f64 {
        self.0.powi(2)
    }
    fn name(&self) -> String {
        stringify!(square).into()
    }
}
impl Shape for Disc {
    fn area(&self) -> f64 {
        self.0.powi(2) * std::f64::consts::PI
    }
    fn name(&self) -> String {
        stringify!(disc).into()
    }
}
mod extension {
    pub trait Join {
        fn join(&self) -> String;
    }
    impl Join for [String] {
        fn join(&self) -> String {
            <[String]>::join(self, " ")
        }
    }
}
pub fn names(shapes: &[Box<dyn Shape>]) -> Vec<String> {
    use extension::Join;
    let names: Vec<String> = shapes.iter().map(|shape| shape.name()).collect();
    let joined = Join::join(&names[..]);
    joined.split(' ').map(str::to_string).collect()
}
