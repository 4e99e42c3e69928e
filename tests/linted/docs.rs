//! # Numbers
//! - one
//! two without its indent

/// Gives one
///
/// ```
/// fn main() {}
/// ```
pub fn one() -> u8 {
    1
}

/// Empty line below.

pub fn check() {
    assert_eq!(one(), 1);
}
