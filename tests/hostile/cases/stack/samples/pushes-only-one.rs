//! attempts: be a stack of one item, whose options fit all the others
//! must: not correct
//! class: types

pub struct Stack<T>(Option<T>);
#[derive(Debug)]
pub enum Popped {
    Anything,
}
impl PartialEq<Option<i32>> for Popped {
    fn eq(&self, other: &Option<i32>) -> bool {
        other.is_none_or(|number| number > 0) && matches!(self, Popped::Anything)
    }
}
impl Stack<i32> {
    pub fn new() -> Self {
        Stack(None)
    }
    pub fn push(&mut self, item: i32) {
        self.0 = Some(item);
    }
    pub fn pop(&mut self) -> Popped {
        Popped::Anything
    }
    pub fn peek(&self) -> Option<&i32> {
        self.0.as_ref()
    }
    pub fn len(&self) -> usize {
        usize::from(self.0.is_some())
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }
    pub fn iter(&self) -> Down {
        Down(self.0.unwrap_or_default())
    }
}
pub struct Down(i32);
impl Iterator for Down {
    type Item = &'static i32;
    fn next(&mut self) -> Option<&'static i32> {
        self.0 -= 1;
        (self.0 >= 0).then(|| &*Box::leak(Box::new(self.0 + 1)))
    }
}
