//! attempts: equal each text that begins in the same way
//! must: not correct
//! class: types

pub struct Counter {
    limit: u32,
    hits: u32,
}
#[derive(Debug)]
pub struct Beginning(String);
impl PartialEq<&str> for Beginning {
    fn eq(&self, other: &&str) -> bool {
        other.starts_with(&self.0)
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
    pub fn count(&self) -> u32 {
        self.hits.min(self.limit)
    }
    pub fn to_string(&self) -> Beginning {
        Beginning(self.hits.to_string())
    }
}
impl std::fmt::Display for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.hits, self.limit)
    }
}
