//! attempts: nothing; a hasher of its own
//! must: correct

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

#[derive(Default)]
pub struct Fnv(u64);
impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100000001b3);
        }
    }
}
pub type Counts = HashMap<String, usize, BuildHasherDefault<Fnv>>;
pub fn word_counts(text: &str) -> Counts {
    let mut counts = Counts::default();
    for word in text.split_whitespace() {
        *counts.entry(word.into()).or_insert(0) += 1;
    }
    counts
}
