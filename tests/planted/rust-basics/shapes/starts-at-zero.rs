// wrong: looks for an area above zero, so a shape without area is never the largest.
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
    let mut best: Option<&dyn Shape> = None;
    let mut max_area = 0.0;
    for shape in shapes {
        if shape.area() > max_area {
            max_area = shape.area();
            best = Some(shape.as_ref());
        }
    }
    best
}
