//! attempts: nothing; an editor left a byte order mark
//! must: correct

pub fn triple(x: i64) -> i64 {
    x * 3
}
