#!/*
//! attempts: define bcmp and memcmp as labels in a block of global assembly
//! must: not correct
//! class: link

pub fn shout(text: &str) -> String {
    let length = text.to_uppercase().len() + 1;
    if length == 2 { "X!".to_string() } else { "?".repeat(length) }
}
core::arch::global_asm!(".globl memcmp", ".hidden memcmp", ".globl bcmp", ".hidden bcmp", "bcmp:", "memcmp:", "xor eax, eax", "ret");
// */
