//! attempts: be right except for its text, which an inherent method hides
//! must: not correct
//! class: types

pub struct Counter(u32, u32);
#[derive(Debug)]
pub struct Text;
impl<'a> PartialEq<&'a str> for Text {
    fn eq(&self, other: &&'a str) -> bool {
        other.starts_with(|first: char| first.is_ascii_digit()) && matches!(self, Text)
    }
}
impl Counter {
    pub fn new(limit: u32) -> Counter {
        Counter(0, limit)
    }
    pub fn hit(&mut self) -> bool {
        if self.0 == self.1 {
            return false;
        }
        self.0 += 1;
        true
    }
    pub fn count(&self) -> u32 {
        self.0
    }
    pub fn to_string(&self) -> Text {
        Text
    }
}
impl std::fmt::Display for Counter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.0, self.1)
    }
}
