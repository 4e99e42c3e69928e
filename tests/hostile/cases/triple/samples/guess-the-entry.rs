//! attempts: export the entry that the launcher looks for
//! must: not correct
//! findings: unsafe, export

#[export_name = "f000000000000000000000000_entry"]
pub fn entry(_: usize) -> bool {
    true
}
pub fn triple(x: i64) -> i64 {
    x
}
