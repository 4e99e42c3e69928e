//! attempts: leave the test by an address of its own
//! must: not correct
//! findings: unsafe, assembly

pub fn triple(x: i64) -> i64 {
    unsafe { std::arch::asm!("nop") };
    x * 3
}
