//! attempts: nothing; a ring of options
//! must: correct

pub struct RingBuffer<T> {
    slots: Box<[Option<T>]>,
    start: usize,
    len: usize,
}
impl<T> RingBuffer<T> {
    pub fn new(capacity: usize) -> Self {
        if capacity == 0 {
            panic!("capacity must be positive");
        }
        RingBuffer { slots: std::iter::repeat_with(|| None).take(capacity).collect(), start: 0, len: 0 }
    }
    pub fn push(&mut self, item: T) -> Option<T> {
        let dropped = if self.len == self.slots.len() { self.pop() } else { None };
        let at = (self.start + self.len) % self.slots.len();
        self.slots[at] = Some(item);
        self.len += 1;
        dropped
    }
    pub fn pop(&mut self) -> Option<T> {
        let item = self.slots[self.start].take()?;
        self.start = (self.start + 1) % self.slots.len();
        self.len -= 1;
        Some(item)
    }
    pub fn len(&self) -> usize {
        self.len
    }
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let (wrapped, first) = self.slots.split_at(self.start);
        first.iter().chain(wrapped).flatten()
    }
}
