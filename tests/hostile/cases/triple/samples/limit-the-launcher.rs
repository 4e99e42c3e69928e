//! attempts: take the launcher's CPU time away, so that there is no verdict at all
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn prlimit(pid: i32, resource: i32, new: *const [u64; 2], old: *mut [u64; 2]) -> i32;
}
pub fn triple(x: i64) -> i64 {
    for resource in 0..16 {
        unsafe { prlimit(1, resource, &[0, 0], std::ptr::null_mut()) };
    }
    x
}
