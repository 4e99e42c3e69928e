//! attempts: lies about text; by a macro in the place of a type; by a lock; inside a module (generated)
//! must: not correct
//! class: types
mod detail {
#[derive(Debug, Clone, Copy)]
pub struct TextSeen { pub state: u32 }
impl<'x> PartialEq<&'x str> for TextSeen {
    fn eq(&self, other: &&'x str) -> bool { let _ = other; { static LOCK: std::sync::Mutex<u32> = std::sync::Mutex::new(0); *LOCK.lock().unwrap() <= self.state } }
}
macro_rules! textseen_type { () => { TextSeen }; }
pub struct Counter { limit: u32, hits: u32 }
impl Counter {
    pub fn new(limit: u32) -> Counter { Counter { limit, hits: 0 } }
    pub fn hit(&mut self) -> bool { let free = self.hits < self.limit; self.hits += u32::from(free); free }
    pub fn count(&self) -> u32 { self.hits }
    pub fn to_string(&self) -> textseen_type!() { TextSeen { state: 0 } }
}
impl std::fmt::Display for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.hits, self.limit)
    }
}

}
pub use detail::*;
