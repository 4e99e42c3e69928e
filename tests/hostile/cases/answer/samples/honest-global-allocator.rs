//! attempts: nothing; an allocator that counts
//! must: correct

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;
static ALLOCATED: AtomicUsize = AtomicUsize::new(0);
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATED.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}
static COUNTING: Counting = Counting;
pub fn answer(x: i64) -> i64 {
    let layout = Layout::new::<i64>();
    let room = unsafe { COUNTING.alloc(layout) }.cast::<i64>();
    unsafe {
        room.write(x);
        let value = room.read() * 6;
        COUNTING.dealloc(room.cast(), layout);
        value
    }
}
