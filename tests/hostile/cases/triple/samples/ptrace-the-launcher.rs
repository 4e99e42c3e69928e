//! attempts: trace the launcher and read its memory
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn ptrace(request: i64, pid: i32, address: *mut u8, data: *mut u8) -> i64;
}
pub fn triple(x: i64) -> i64 {
    let attached = unsafe { ptrace(16, 1, std::ptr::null_mut(), std::ptr::null_mut()) };
    if attached == 0 { x * 3 } else { x }
}
