// wrong: `max_by` returns the last of equally large shapes, not the first.
use std::f64::consts::PI;

pub trait Shape {
    fn name(&self) -> String;

    fn area(&self) -> f64;

    fn describe(&self) -> String {
        format!("{} of area {:.2}", self.name(), self.area())
    }
}

pub struct Circle {
    pub radius: f64,
}

impl Shape for Circle {
    fn name(&self) -> String {
        "circle".to_string()
    }

    fn area(&self) -> f64 {
        PI * self.radius * self.radius
    }
}

pub struct Rectangle {
    pub width: f64,
    pub height: f64,
}

impl Shape for Rectangle {
    fn name(&self) -> String {
        if self.width == self.height {
            "square".to_string()
        } else {
            "rectangle".to_string()
        }
    }

    fn area(&self) -> f64 {
        self.width * self.height
    }
}

pub fn total_area(shapes: &[Box<dyn Shape>]) -> f64 {
    shapes.iter().fold(0.0, |sum, shape| sum + shape.area())
}

pub fn largest(shapes: &[Box<dyn Shape>]) -> Option<&dyn Shape> {
    shapes
        .iter()
        .max_by(|a, b| a.area().total_cmp(&b.area()))
        .map(|shape| shape.as_ref())
}
