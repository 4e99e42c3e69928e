pub fn once() -> u8 {
    loop {
        return 1;
    }
}
pub fn first(values: &[u8]) -> u8 {
    for value in values {
        return *value;
    }
    0
}
pub fn check() {
    assert_eq!(once() + first(&[2]), 3);
}
