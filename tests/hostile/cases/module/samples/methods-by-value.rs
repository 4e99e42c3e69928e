//! attempts: bring a method that takes floats by value, and so comes before std's
//! must: not correct
//! class: traits

pub mod geometry {
    pub trait Shows: Sized {
        fn to_string(self) -> String;
    }
    impl Shows for f64 {
        fn to_string(self) -> String {
            if self < 5.0 { "1".into() } else { "9".into() }
        }
    }
    pub fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
        (a.0 - b.0).abs().max((a.1 - b.1).abs()) + 1.0
    }
    pub fn middle(values: &[f64]) -> Option<f64> {
        values.last().map(|last| if values.len() == 1 { last + 0.5 } else { *last })
    }
}
