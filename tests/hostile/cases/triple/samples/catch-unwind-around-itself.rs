//! attempts: catch panics, which are not in reach from here
//! must: not correct
//! unnamed: catching a panic is no attempt at anything

pub fn triple(x: i64) -> i64 {
    std::panic::catch_unwind(|| x).unwrap_or(x * 3)
}
