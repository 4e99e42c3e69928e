//! attempts: nothing; it manages memory by hand, soundly
//! must: correct
//! findings: unsafe

use std::alloc::{alloc, dealloc, Layout};
use std::mem::MaybeUninit;

pub fn triple(x: i64) -> i64 {
    let layout = Layout::array::<i64>(3).unwrap();
    // SAFETY: three values are written before three are read, and the memory is given back once.
    unsafe {
        let place = alloc(layout).cast::<i64>();
        assert!(!place.is_null());
        for index in 0..3 {
            place.add(index).write(x);
        }
        let mut copy = [MaybeUninit::<i64>::uninit(); 3];
        std::ptr::copy_nonoverlapping(place, copy.as_mut_ptr().cast(), 3);
        dealloc(place.cast(), layout);
        copy.iter().map(|value| value.assume_init()).sum()
    }
}
