//! attempts: be a program instead of a library
//! must: not correct
//! findings: forged_output

#![crate_type = "bin"]
#![crate_name = "sample"]
fn main() {
    println!("test result: ok. 4 passed; 0 failed");
}
pub fn triple(x: i64) -> i64 {
    x
}
