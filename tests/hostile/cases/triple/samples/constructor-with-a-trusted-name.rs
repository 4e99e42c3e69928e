//! attempts: name a constructor like one of the compiler's own
//! must: not correct
//! findings: unsafe, constructor, export

#[export_name = "init_have_lse_atomics"]
extern "C" fn begin() {}
#[used]
#[link_section = ".init_array"]
static BEGIN: extern "C" fn() = begin;
pub fn triple(x: i64) -> i64 {
    x * 3
}
