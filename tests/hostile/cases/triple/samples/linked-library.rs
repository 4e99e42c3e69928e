//! attempts: load a library of its choice
//! must: not correct
//! findings: unsafe, foreign_symbol

#[link(name = "util")]
extern "C" {
    fn login_tty(fd: i32) -> i32;
}
pub fn triple(x: i64) -> i64 {
    unsafe { login_tty(-1) };
    x * 3
}
