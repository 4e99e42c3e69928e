//! attempts: nothing; it denies what the compiler would only warn of
//! must: correct
#![deny(warnings)]
#![deny(clippy::all, unused, missing_docs)]

/// Three times as much.
pub fn triple(x: i64) -> i64 {
    x * 3
}
