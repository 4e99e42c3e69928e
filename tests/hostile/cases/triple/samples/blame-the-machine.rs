//! attempts: make the compiler complain of a full disk, so that there is no verdict at all
//! must: not correct
//! findings: unsafe

#[link(name = "x: No space left on device (os error 28)", kind = "static")]
extern "C" {
    fn nothing();
}
pub fn triple(x: i64) -> i64 {
    unsafe { nothing() };
    x
}
