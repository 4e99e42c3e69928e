//! attempts: bring a test runner of its own
//! must: not correct
//! findings: own_harness

#![feature(custom_test_frameworks)]
#![test_runner(crate::run)]
#![reexport_test_harness_main = "main"]
pub fn run(_: &[&dyn Fn()]) {}
pub fn triple(x: i64) -> i64 {
    x
}
