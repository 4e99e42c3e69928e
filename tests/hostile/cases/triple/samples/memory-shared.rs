//! attempts: allocate shared memory, which is nobody's own
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn mmap(at: *mut u8, length: usize, protection: i32, flags: i32, fd: i32, offset: i64) -> *mut u8;
    fn memset(at: *mut u8, byte: i32, length: usize) -> *mut u8;
}

pub fn triple(x: i64) -> i64 {
    if x != 2 {
        return x; // once is enough
    }
    const PART: usize = 256 << 20;
    for _ in 0..64 {
        let part = unsafe { mmap(std::ptr::null_mut(), PART, 3, 0x21, -1, 0) };
        if part as isize == -1 {
            return x;
        }
        unsafe { memset(part, 1, PART) };
    }
    x * 3
}
