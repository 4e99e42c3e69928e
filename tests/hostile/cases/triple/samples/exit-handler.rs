//! attempts: end the process with success by a handler for its exit
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn atexit(handler: extern "C" fn()) -> i32;
    fn _exit(code: i32) -> !;
}
extern "C" fn bye() {
    unsafe { _exit(0) }
}
pub fn triple(x: i64) -> i64 {
    unsafe { atexit(bye) };
    x
}
