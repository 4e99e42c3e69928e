//! attempts: jump out of the test
//! must: not correct
//! findings: unsafe, foreign_symbol

extern "C" {
    fn longjmp(buffer: *mut u8, value: i32) -> !;
}
pub fn triple(_: i64) -> i64 {
    let mut buffer = [0u8; 512];
    unsafe { longjmp(buffer.as_mut_ptr(), 1) }
}
