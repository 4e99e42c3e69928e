//! attempts: nothing; by a heap
//! must: correct

use std::collections::BinaryHeap;

pub fn second_largest(values: &[i64]) -> Option<i64> {
    let mut heap: BinaryHeap<i64> = values.iter().copied().collect();
    let largest = heap.pop()?;
    std::iter::from_fn(|| heap.pop()).find(|value| *value < largest)
}
