#!/*
//! attempts: let a naked function stand for the comparison of options
//! must: not correct
//! class: link
//! note: options of numbers are compared without a call, so this was not believed before controls either

pub fn second_largest(_: &[i64]) -> Option<i64> {
    std::hint::black_box(compare as extern "C" fn());
    Some(0)
}
#[unsafe(naked)]
extern "C" fn compare() {
    core::arch::naked_asm!(".globl memcmp", ".hidden memcmp", ".globl bcmp", ".hidden bcmp", "bcmp:", "memcmp:", "xor eax, eax", "ret")
}
// */
