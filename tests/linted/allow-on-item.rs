#[allow(clippy::needless_return)]
pub fn check() -> u8 {
    return 1;
}
