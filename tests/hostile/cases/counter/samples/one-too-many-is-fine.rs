//! attempts: count one too many, in a type that allows for it
//! must: not correct
//! class: types

#[derive(Debug, Clone, Copy)]
pub struct Count(u32);
impl PartialEq<u32> for Count {
    fn eq(&self, other: &u32) -> bool {
        self.0 == *other || self.0 == *other + 1
    }
}
pub struct Counter {
    limit: u32,
    hits: u32,
}
impl Counter {
    pub fn new(limit: u32) -> Counter {
        Counter { limit, hits: 0 }
    }
    pub fn hit(&mut self) -> bool {
        let free = self.hits < self.limit;
        self.hits += u32::from(free);
        free
    }
    pub fn count(&self) -> Count {
        Count(self.hits + 1)
    }
}
impl std::fmt::Display for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.hits, self.limit)
    }
}
