pub fn mix(x: u8, y: i64) -> f64 {
    let z = x as u8;
    let w = 0xFFFF0000u32 | 1 << 2 + 1;
    let _ = y % 1;
    let _ = z * 0;
    (w as f64) + 1000000f64
}
pub fn check() {
    assert!(mix(1, 2) > 0.0);
}
