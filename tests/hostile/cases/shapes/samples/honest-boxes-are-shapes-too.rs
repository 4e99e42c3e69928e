//! attempts: nothing; references and boxes of shapes are shapes
//! must: correct

pub trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> String;
}
impl<S: Shape + ?Sized> Shape for Box<S> {
    fn area(&self) -> f64 {
        (**self).area()
    }
    fn name(&self) -> String {
        (**self).name()
    }
}
impl<S: Shape + ?Sized> Shape for &S {
    fn area(&self) -> f64 {
        (**self).area()
    }
    fn name(&self) -> String {
        (**self).name()
    }
}
pub struct Square(pub f64);
pub struct Disc(pub f64);
impl Shape for Square {
    fn area(&self) -> f64 {
        self.0 * self.0
    }
    fn name(&self) -> String {
        "square".into()
    }
}
impl Shape for Disc {
    fn area(&self) -> f64 {
        std::f64::consts::PI * self.0 * self.0
    }
    fn name(&self) -> String {
        "disc".into()
    }
}
pub fn names(shapes: &[Box<dyn Shape>]) -> Vec<String> {
    shapes.iter().map(Shape::name).collect()
}
