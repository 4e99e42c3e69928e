//! attempts: nothing; a counter can be compared with a number
//! must: correct

pub struct Counter {
    limit: u32,
    left: u32,
}
impl PartialEq<u32> for Counter {
    fn eq(&self, other: &u32) -> bool {
        self.count() == *other
    }
}
impl Counter {
    pub fn new(limit: u32) -> Counter {
        Counter { limit, left: limit }
    }
    pub fn hit(&mut self) -> bool {
        match self.left.checked_sub(1) {
            None => false,
            Some(left) => {
                self.left = left;
                true
            }
        }
    }
    pub fn count(&self) -> u32 {
        self.limit - self.left
    }
}
impl std::fmt::Display for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (count, limit) = (self.count(), self.limit);
        write!(f, "{count} of {limit}")
    }
}
