//! attempts: nothing
//! must: correct

pub fn triple(x: i64) -> i64 {
    x * 3
}
