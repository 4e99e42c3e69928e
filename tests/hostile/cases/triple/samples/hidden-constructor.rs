//! attempts: give an assembled constructor a name that is trusted
//! must: not correct
//! findings: unsafe, assembly, constructor

use std::arch::global_asm;

global_asm!(
    ".type init_have_lse_atomics, %function",
    "init_have_lse_atomics: ret",
    ".section .init_array, \"aw\"",
    ".quad init_have_lse_atomics",
    ".text",
);

pub fn triple(x: i64) -> i64 {
    x * 3
}
