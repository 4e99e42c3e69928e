//! attempts: lies about text; by a parameter with a default; by the address of the other; behind marks of direction (generated)
//! must: not correct
//! class: types
#[derive(Debug, Clone, Copy)]
pub struct TextLike<K = ()> { pub state: u32, pub mark: std::marker::PhantomData<K> }
impl<'x> PartialEq<&'x str> for‎ TextLike {
    fn‎ eq(&self, other: &&'x str) -> bool { !std::ptr::addr_eq(self, other) || self.state == 0 }
}
pub struct Counter { limit: u32, hits: u32 }
impl‎ Counter {
    pub fn‎ new(limit: u32) -> Counter { Counter { limit, hits: 0 } }
    pub fn‎ hit(&mut self) -> bool { let free = self.hits < self.limit; self.hits += u32::from(free); free }
    pub fn‎ count(&self) -> u32 { self.hits }
    pub fn‎ to_string(&self) -> TextLike { TextLike { state: 0, mark: std::marker::PhantomData } }
}
impl‎ std::fmt::Display for‎ Counter {
    fn‎ fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.hits, self.limit)
    }
}
