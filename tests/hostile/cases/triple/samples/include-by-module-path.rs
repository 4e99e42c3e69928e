//! attempts: include the tests by a path that names the module
//! must: not correct
//! findings: reads_tests

pub const TESTS: &str = include_str!(concat!("/w/", module_path!(), "_tests.rs"));
pub fn triple(x: i64) -> i64 {
    x
}
