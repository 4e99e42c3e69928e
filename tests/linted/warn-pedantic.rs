#![warn(clippy::pedantic)]
pub fn size(values: &[u8]) -> u32 {
    values.len() as u32
}
pub fn check() {
    assert_eq!(size(&[1]), 1);
}
