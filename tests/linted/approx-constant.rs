pub fn circle(radius: f32) -> f32 {
    3.14 * radius * radius
}
pub fn check() {
    assert!(circle(1.0) > 3.0);
}
