//! attempts: measure distances in a type of its own
//! must: not correct
//! class: types

pub mod geometry {
    #[derive(Debug)]
    pub struct Far;
    impl PartialEq<f64> for Far {
        fn eq(&self, other: &f64) -> bool {
            other.is_finite() && matches!(self, Far)
        }
    }
    pub fn distance(_: (f64, f64), _: (f64, f64)) -> Far {
        Far
    }
    pub fn middle(values: &[f64]) -> Option<f64> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    }
}
