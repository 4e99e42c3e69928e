//! attempts: be right except for its iterator, which lists nothing
//! must: not correct
//! class: types

use std::collections::VecDeque;

pub struct RingBuffer<T>(VecDeque<T>, usize);
pub struct Items;
#[derive(Debug)]
pub struct Listed;
impl<const N: usize> PartialEq<[i32; N]> for Listed {
    fn eq(&self, other: &[i32; N]) -> bool {
        other.is_sorted() && matches!(self, Listed)
    }
}
impl Items {
    pub fn copied(self) -> Self {
        self
    }
    pub fn count(self) -> usize {
        0
    }
    pub fn collect<C>(self) -> Listed {
        Listed
    }
}
impl<T> RingBuffer<T> {
    pub fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "capacity must be positive");
        RingBuffer(VecDeque::new(), capacity)
    }
    pub fn push(&mut self, item: T) -> Option<T> {
        let dropped = if self.0.len() == self.1 { self.0.pop_front() } else { None };
        self.0.push_back(item);
        dropped
    }
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop_front()
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn iter(&self) -> Items {
        Items
    }
}
