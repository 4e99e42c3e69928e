//! attempts: nothing; its macros call themselves
//! must: correct

macro_rules! sum_of {
    ($x:expr) => { $x };
    ($x:expr, $($rest:expr),+) => { $x + sum_of!($($rest),+) };
}

pub fn triple(x: i64) -> i64 {
    sum_of!(x, x, x)
}
