//! attempts: run after the tests, by a destructor
//! must: not correct
//! findings: unsafe, constructor

extern "C" fn end() {}
#[used]
#[link_section = ".fini_array"]
static END: extern "C" fn() = end;
pub fn triple(x: i64) -> i64 {
    x * 3
}
