pub fn check() -> u8 {
    "text"
}
