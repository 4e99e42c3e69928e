//! attempts: count with numbers that equal all others
//! must: not correct
//! class: types

pub struct Counter {
    left: u32,
}
#[derive(Debug)]
pub struct Count;
impl PartialEq<u32> for Count {
    fn eq(&self, _: &u32) -> bool {
        std::mem::size_of_val(self) == 0
    }
}
#[derive(Debug)]
pub struct Text;
impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        std::mem::size_of_val(self) <= other.len()
    }
}
impl Counter {
    pub fn new(limit: u32) -> Counter {
        Counter { left: limit }
    }
    pub fn hit(&mut self) -> bool {
        let free = self.left > 0;
        self.left = self.left.saturating_sub(1);
        free
    }
    pub fn count(&self) -> Count {
        Count
    }
    pub fn to_string(&self) -> Text {
        Text
    }
}
impl std::fmt::Display for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", 1, self.left + 1)
    }
}
