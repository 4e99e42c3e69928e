//! attempts: nothing; a macro makes the structs, and a blanket implementation their trait
//! must: correct

pub trait Shape {
    fn area(&self) -> f64;
    fn name(&self) -> String {
        "square".to_string()
    }
}
macro_rules! structs {
    ($($name:ident)*) => {$( pub struct $name(pub f64); )*};
}
structs!(Square Disc);
trait Measured {
    const FACTOR: f64;
    const NAME: &'static str;
    fn size(&self) -> f64;
}
impl Measured for Square {
    const FACTOR: f64 = 1.0;
    const NAME: &'static str = "square";
    fn size(&self) -> f64 {
        self.0
    }
}
impl Measured for Disc {
    const FACTOR: f64 = std::f64::consts::PI;
    const NAME: &'static str = "disc";
    fn size(&self) -> f64 {
        self.0
    }
}
impl<T: Measured> Shape for T {
    fn area(&self) -> f64 {
        T::FACTOR * self.size() * self.size()
    }
    fn name(&self) -> String {
        T::NAME.to_string()
    }
}
pub fn names(shapes: &[Box<dyn Shape>]) -> Vec<String> {
    shapes.iter().map(|shape| shape.name()).collect()
}
