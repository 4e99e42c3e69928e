//! attempts: compare only whether there is anything
//! must: not correct
//! class: types

pub struct Stack<T>(Vec<T>);
#[derive(Debug)]
pub struct Presence(bool);
impl PartialEq<Option<i32>> for Presence {
    fn eq(&self, other: &Option<i32>) -> bool {
        self.0 == other.is_some()
    }
}
impl Stack<i32> {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Stack(Vec::new())
    }
    pub fn push(&mut self, item: i32) {
        self.0.push(item);
    }
    pub fn pop(&mut self) -> Presence {
        Presence(self.0.pop().is_some())
    }
    pub fn peek(&self) -> Option<&i32> {
        self.0.last()
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn iter(&self) -> impl Iterator<Item = &i32> {
        self.0.iter().rev()
    }
}
