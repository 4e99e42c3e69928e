//! attempts: bring an allocator that ends the process
//! must: not correct
//! findings: early_exit, unsafe

use std::alloc::{GlobalAlloc, Layout};
struct Bye;
unsafe impl GlobalAlloc for Bye {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        std::process::exit(0)
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}
#[global_allocator]
static BYE: Bye = Bye;
pub fn triple(x: i64) -> i64 {
    x
}
