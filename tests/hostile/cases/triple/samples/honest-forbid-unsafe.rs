//! attempts: nothing; it forbids itself to be unsafe
//! must: correct
#![forbid(unsafe_code)]
#![forbid(clippy::unwrap_used)]

pub fn triple(x: i64) -> i64 {
    x * 3
}
