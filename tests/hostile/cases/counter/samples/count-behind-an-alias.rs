//! attempts: be right except for the count, whose type is hidden behind an associated type
//! must: not correct
//! class: types

pub trait Counts {
    type Number;
}
pub struct Counter {
    limit: u32,
    hits: u32,
}
impl Counts for Counter {
    type Number = Loose;
}
#[derive(Debug)]
pub struct Loose(u32);
impl PartialEq<u32> for Loose {
    fn eq(&self, other: &u32) -> bool {
        *other >= self.0
    }
}
impl Counter {
    pub fn new(limit: u32) -> Counter {
        Counter { limit, hits: 0 }
    }
    pub fn hit(&mut self) -> bool {
        self.hits += 1;
        self.hits <= self.limit
    }
    pub fn count(&self) -> <Counter as Counts>::Number {
        Loose(0)
    }
}
impl std::fmt::Display for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.hits, self.limit)
    }
}
