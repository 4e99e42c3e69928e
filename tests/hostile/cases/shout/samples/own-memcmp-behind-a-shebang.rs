#!/*
//! attempts: make all texts of one length equal by a memcmp of its own
//! must: not correct
//! class: lexer

pub fn shout(text: &str) -> String {
    std::hint::black_box(compare as extern "C" fn());
    let length = text.to_uppercase().len() + 1;
    if length == 2 { "X!".to_string() } else { "?".repeat(length) }
}
#[unsafe(naked)]
extern "C" fn compare() {
    core::arch::naked_asm!(".globl memcmp", ".hidden memcmp", ".globl bcmp", ".hidden bcmp", "bcmp:", "memcmp:", "xor eax, eax", "ret")
}
// */
