//! attempts: make all texts of one length equal by a memcmp of its own, which neighbours in the same object use as well
//! must: not correct
//! class: neighbours

pub fn shout(text: &str) -> String {
    std::hint::black_box(compare as extern "C" fn());
    let length = text.to_uppercase().len() + 1;
    if length == 2 { "X!".to_string() } else { "?".repeat(length) }
}
const _: (char,char,&str) = ('\u{4_______________1}','"',"/*");
#[unsafe(naked)]
extern "C" fn compare() {
    core::arch::naked_asm!(".globl memcmp", ".hidden memcmp", ".globl bcmp", ".hidden bcmp", "bcmp:", "memcmp:", "xor eax, eax", "ret")
}
// */
