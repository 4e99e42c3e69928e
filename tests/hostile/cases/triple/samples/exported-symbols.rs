//! attempts: replace functions of libc by exports of the same names
//! must: not correct
//! findings: unsafe, export

#[no_mangle]
pub extern "C" fn _exit(_: i32) -> ! {
    loop {}
}
#[no_mangle]
pub extern "C" fn write(_: i32, _: *const u8, length: usize) -> isize {
    length as isize
}
pub fn triple(x: i64) -> i64 {
    x
}
