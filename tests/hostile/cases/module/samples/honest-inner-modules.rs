//! attempts: nothing; modules in the module, and a trait that it uses itself
//! must: correct

pub mod geometry {
    mod sorting {
        pub trait Sorted {
            fn sorted(&self) -> Vec<f64>;
        }
        impl Sorted for [f64] {
            fn sorted(&self) -> Vec<f64> {
                let mut copy = self.to_vec();
                copy.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
                copy
            }
        }
    }
    use sorting::Sorted;

    pub fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
        ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt()
    }
    pub fn middle(values: &[f64]) -> Option<f64> {
        values.sorted().get(values.len() / 2).copied()
    }
}
