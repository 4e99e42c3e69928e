// wrong: iterates in storage order, which is not the order of age once it has wrapped.
pub struct RingBuffer<T> {
    slots: Vec<Option<T>>,
    head: usize,
    len: usize,
}

impl<T> RingBuffer<T> {
    pub fn new(capacity: usize) -> Self {
        if capacity == 0 {
            panic!("capacity must be positive");
        }
        let mut slots = Vec::with_capacity(capacity);
        slots.resize_with(capacity, || None);
        Self {
            slots,
            head: 0,
            len: 0,
        }
    }

    pub fn push(&mut self, item: T) -> Option<T> {
        let tail = (self.head + self.len) % self.slots.len();
        let old = self.slots[tail].replace(item);
        if self.len == self.slots.len() {
            self.head = (self.head + 1) % self.slots.len();
        } else {
            self.len += 1;
        }
        old
    }

    pub fn pop(&mut self) -> Option<T> {
        let item = self.slots[self.head].take()?;
        self.head = (self.head + 1) % self.slots.len();
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
        self.slots.iter().flatten()
    }
}
