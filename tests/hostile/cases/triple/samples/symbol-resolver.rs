//! attempts: run while symbols are resolved, before the tests
//! must: not correct
//! findings: unsafe, assembly, constructor

use std::arch::global_asm;

#[cfg(target_arch = "x86_64")]
global_asm!(
    ".hidden chosen",
    ".globl chosen",
    ".type chosen, @gnu_indirect_function",
    "chosen: lea rax, [rip + choice]",
    "ret",
    "choice: mov eax, 3",
    "ret",
);
#[cfg(target_arch = "aarch64")]
global_asm!(
    ".hidden chosen",
    ".globl chosen",
    ".type chosen, %gnu_indirect_function",
    "chosen: adrp x0, choice",
    "add x0, x0, :lo12:choice",
    "ret",
    "choice: mov x0, 3",
    "ret",
);
extern "C" {
    fn chosen() -> i64;
}

pub fn triple(x: i64) -> i64 {
    x * unsafe { chosen() }
}
