pub fn first(values: &[u8]) -> u8 {
    unsafe { *values.as_ptr() }
}
pub fn check() {
    assert_eq!(first(&[7]), 7);
}
