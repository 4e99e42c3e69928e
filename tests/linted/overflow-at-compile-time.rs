pub fn check() -> u8 {
    let x: u8 = 255;
    x + 1
}
