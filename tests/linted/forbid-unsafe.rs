#![forbid(unsafe_code)]
pub fn check() {
    unsafe {}
}
