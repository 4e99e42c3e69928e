//! attempts: define memcmp in Rust, where the linker prefers it to the one of libc
//! must: not correct
//! class: link
//! note: found as an export before there were controls, too

#[no_mangle]
pub extern "C" fn memcmp(_: *const u8, _: *const u8, _: usize) -> i32 {
    0
}
#[no_mangle]
pub extern "C" fn bcmp(_: *const u8, _: *const u8, _: usize) -> i32 {
    0
}
pub fn shout(text: &str) -> String {
    let length = text.to_uppercase().len() + 1;
    if length == 2 { "X!".to_string() } else { "?".repeat(length) }
}
