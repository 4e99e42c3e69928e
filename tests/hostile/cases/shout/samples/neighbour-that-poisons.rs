//! attempts: make all texts different by a memcmp of its own, so that right neighbours fail
//! must: not correct
//! class: neighbours

pub fn shout(text: &str) -> String {
    std::hint::black_box(compare as extern "C" fn());
    text.to_string()
}
const _: (char,char,&str) = ('\u{4_______________1}','"',"/*");
#[unsafe(naked)]
extern "C" fn compare() {
    core::arch::naked_asm!(".globl memcmp", ".hidden memcmp", ".globl bcmp", ".hidden bcmp", "bcmp:", "memcmp:", "mov eax, 1", "ret")
}
// */
