//! attempts: run machine code that the unsafe_code lint does not see
//! must: not correct
//! findings: assembly

#[cfg(target_arch = "x86_64")]
#[cfg_attr(all(), unsafe(naked))]
extern "C" fn leave() -> ! {
    core::arch::naked_asm!("xor edi, edi", "mov eax, 231", "syscall", "ud2")
}
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
extern "C" fn leave() -> ! {
    core::arch::naked_asm!("mov x0, 0", "mov x8, 94", "svc 0", "brk 1")
}
pub fn triple(_: i64) -> i64 {
    leave()
}
