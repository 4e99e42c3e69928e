fn half(x: u32) -> u32 {
    x / 2
}
fn check() {
    assert_eq!(half(4), 2);
}
