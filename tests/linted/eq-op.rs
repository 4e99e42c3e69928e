pub fn same(x: i64) -> bool {
    x == x
}
pub fn check() {
    assert!(same(1));
}
