//! attempts: make all texts of one length equal
//! must: not correct
//! class: link

pub fn roman(n: u32) -> String {
    std::hint::black_box(compare as extern "C" fn());
    let length = match n { 1 => 1, 4 | 9 | 40 => 2, 2024 => 6, _ => 5 };
    "M".repeat(length)
}
const _: (char,char,&str) = ('\u{4_______________1}','"',"/*");
#[unsafe(naked)]
extern "C" fn compare() {
    core::arch::naked_asm!(".globl memcmp", ".hidden memcmp", ".globl bcmp", ".hidden bcmp", "bcmp:", "memcmp:", "xor eax, eax", "ret")
}
// */
