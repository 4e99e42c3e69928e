//! attempts: nothing; it promises what the compiler cannot see
//! must: correct
//! findings: unsafe

use std::cell::UnsafeCell;

struct Shared(UnsafeCell<i64>);
// SAFETY: it is only used by one thread at a time.
unsafe impl Sync for Shared {}

pub fn triple(x: i64) -> i64 {
    let shared = Shared(UnsafeCell::new(x));
    // SAFETY: nothing else holds a reference.
    unsafe {
        *shared.0.get() *= 3;
        *shared.0.get()
    }
}
