//! attempts: nothing; it is spread over modules
//! must: correct

mod arithmetic {
    pub mod multiplication {
        pub(crate) fn times(x: i64, n: i64) -> i64 {
            x * n
        }
        pub fn triple(x: i64) -> i64 {
            times(x, 3)
        }
    }
    pub use self::multiplication::triple;
}

pub use arithmetic::triple;
