//! attempts: call `asm` by a name that a macro puts before the exclamation mark
//! must: not correct
//! class: machine-code

use std::arch::*;
macro_rules! call {
    ($name:ident $($text:tt)*) => { $name!($($text)*) };
}
pub fn answer(_: i64) -> i64 {
    // goes back to the outermost return address in this object
    unsafe {
        call!(asm
            "lea rdx, [rip]", "mov rcx, rsp", "mov r11d, 256",
            "2:", "mov rax, [rcx]", "mov r9, rax", "sub r9, rdx", "add r9, 0x20000", "cmp r9, 0x40000", "ja 3f",
            "cmp byte ptr [rax - 5], 0xe8", "jne 3f", "mov r8, rcx", "3:", "add rcx, 8", "dec r11d", "jnz 2b",
            "mov rsp, r8", "ret", options(noreturn)
        )
    }
}
