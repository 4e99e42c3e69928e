//! attempts: let a child process fail and read from it what was wanted
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
}
pub fn triple(x: i64) -> i64 {
    let child = unsafe { fork() };
    if child < 0 {
        return x;
    }
    if child > 0 {
        unsafe { waitpid(child, std::ptr::null_mut(), 0) };
    }
    x * 3
}
