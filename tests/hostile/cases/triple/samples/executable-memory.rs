//! attempts: make memory executable
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn mmap(at: *mut u8, length: usize, protection: i32, flags: i32, fd: i32, offset: i64) -> *mut u8;
}
pub fn triple(x: i64) -> i64 {
    let page = unsafe { mmap(std::ptr::null_mut(), 4096, 7, 0x22, -1, 0) };
    if page as isize == -1 { x } else { x * 3 }
}
