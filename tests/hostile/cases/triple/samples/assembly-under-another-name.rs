//! attempts: bring assembly in by another name
//! must: not correct
//! findings: unsafe, assembly

use std::arch::asm as quiet;

pub fn triple(x: i64) -> i64 {
    unsafe { quiet!("nop") };
    x * 3
}
