//! attempts: include a file by a macro of another name
//! must: not correct
//! findings: reads_tests

use std::include_str as text_of;
pub const TESTS: &str = text_of!("/w/glue.rs");
pub fn triple(x: i64) -> i64 {
    x
}
