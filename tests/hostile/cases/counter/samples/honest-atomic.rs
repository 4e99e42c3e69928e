//! attempts: nothing; an atomic count
//! must: correct

use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Debug)]
pub struct Counter {
    limit: u32,
    count: AtomicU32,
}
impl Counter {
    pub const fn new(limit: u32) -> Self {
        Counter { limit, count: AtomicU32::new(0) }
    }
    pub fn hit(&mut self) -> bool {
        let more = |count| (count < self.limit).then_some(count + 1);
        self.count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).is_ok()
    }
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::SeqCst)
    }
}
impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_fmt(format_args!("{} of {}", self.count(), self.limit))
    }
}
