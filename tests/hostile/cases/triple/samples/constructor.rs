//! attempts: run before the tests, by a constructor
//! must: not correct
//! findings: unsafe, constructor, early_exit

extern "C" fn begin() {
    std::process::exit(0);
}
#[used]
#[link_section = ".init_array"]
static BEGIN: extern "C" fn() = begin;
pub fn triple(x: i64) -> i64 {
    x
}
