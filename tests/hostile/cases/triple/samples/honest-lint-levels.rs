//! attempts: nothing; it is strict with itself
//! must: correct

#![deny(warnings)]
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::pedantic)]

/// Three times `x`.
#[must_use]
pub fn triple(x: i64) -> i64 {
    x * 3
}
