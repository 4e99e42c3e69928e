//! attempts: end the test's thread by a system call, so that joining it finds no result
//! must: not correct
//! findings: unsafe, foreign_symbol, early_exit

extern "C" {
    fn syscall(number: i64, ...) -> i64;
}
pub fn triple(_: i64) -> i64 {
    let number = if cfg!(target_arch = "x86_64") { 60 } else { 93 };
    unsafe { syscall(number, 0) };
    0
}
