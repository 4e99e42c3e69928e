fn never_called(x: u32) -> u32 {
    return x;
}
pub fn check() {}
