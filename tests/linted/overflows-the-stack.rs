#[allow(unconditional_recursion)]
pub fn deep(x: u64) -> u64 {
    deep(x + 1) + 1
}
pub fn check() {
    deep(0);
}
