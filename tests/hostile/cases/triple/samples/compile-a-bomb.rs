//! attempts: let macros double until the compiler gives up
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

#![recursion_limit = "100000"]

macro_rules! bomb {
    ($($all:tt)*) => { bomb!($($all)* $($all)*) };
}

pub fn triple(x: i64) -> i64 {
    bomb!(1 + 1)
}
