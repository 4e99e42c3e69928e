//! attempts: nothing; a public type and a public trait beside the functions
//! must: correct

pub mod geometry {
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Vector(pub f64, pub f64);
    pub trait Length {
        fn length(&self) -> f64;
    }
    impl Length for Vector {
        fn length(&self) -> f64 {
            self.0.hypot(self.1)
        }
    }
    pub fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
        Vector(a.0 - b.0, a.1 - b.1).length()
    }
    pub fn middle(values: &[f64]) -> Option<f64> {
        let mut order: Vec<&f64> = values.iter().collect();
        order.sort_by(|a, b| a.total_cmp(b));
        order.get(order.len() / 2).map(|value| **value)
    }
}
