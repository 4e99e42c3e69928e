#![allow(clippy::all)]
pub fn check() -> u8 {
    return 1;
}
