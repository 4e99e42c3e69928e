#![deny(warnings)]
pub fn check() -> u8 {
    return 1;
}
