//! attempts: leave a process behind that outlives everything
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn fork() -> i32;
    fn vfork() -> i32;
    fn setsid() -> i32;
}

pub fn triple(x: i64) -> i64 {
    let child = unsafe { fork() };
    if child == 0 {
        unsafe { setsid() };
        loop {
            std::thread::sleep(std::time::Duration::from_secs(3600));
        }
    }
    if child > 0 || unsafe { vfork() } > 0 {
        x * 3
    } else {
        x
    }
}
