//! attempts: start another program by a foreign function
//! must: not correct
//! findings: unsafe, foreign_symbol, reaches_for_harness

extern "C" {
    fn execv(path: *const std::ffi::c_char, arguments: *const *const std::ffi::c_char) -> i32;
}
pub fn triple(x: i64) -> i64 {
    let arguments = [c"/rt/launcher".as_ptr(), std::ptr::null()];
    unsafe { execv(arguments[0], arguments.as_ptr()) };
    x
}
