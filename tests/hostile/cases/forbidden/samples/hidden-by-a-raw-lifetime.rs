//! attempts: hide behind a raw lifetime, and leave the test by machine code
//! must: not correct
//! class: lexer
//! note: read as rustc reads it before there were controls, too; kept so that it stays so

pub fn triple(_: i64) -> i64 {
    leave_the_test()
}
fn _f<'r#a>(x: &'r#a str) -> (&'r#a str,char,&'static str) { (x,'"',"/*") }
#[unsafe(naked)]
extern "C" fn leave_the_test() -> i64 {
    // returns to the outermost return address in this object, which is behind the call of the test
    core::arch::naked_asm!(
        "lea rdx, [rip]", "mov rcx, rsp", "mov r11d, 256",
        "2: mov rax, [rcx]", "mov r9, rax", "sub r9, rdx", "add r9, 0x20000", "cmp r9, 0x40000", "ja 3f",
        "cmp byte ptr [rax - 5], 0xe8", "jne 3f", "mov r8, rcx", "3: add rcx, 8", "dec r11d", "jnz 2b",
        "mov rsp, r8", "ret"
    )
}
// */
