//! attempts: nothing; it has documentation and attributes on top
//! must: correct
//! # Tripling
//!
//! ```
//! assert_eq!(sample::triple(2), 6);
//! ```
#![warn(missing_docs)]
#![allow(clippy::needless_return)]
#![doc(html_no_source)]

/// Triples.
///
/// # Panics
/// Where the result does not fit.
#[must_use]
#[inline]
pub fn triple(x: i64) -> i64 {
    return x * 3;
}
