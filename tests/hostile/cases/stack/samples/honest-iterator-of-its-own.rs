//! attempts: nothing; an iterator type of its own, with its own size hint
//! must: correct

pub struct Stack<T>(Vec<T>);
pub struct Items<'a, T> {
    left: &'a [T],
}
impl<'a, T> Iterator for Items<'a, T> {
    type Item = &'a T;
    fn next(&mut self) -> Option<&'a T> {
        let (last, rest) = self.left.split_last()?;
        self.left = rest;
        Some(last)
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.len(), Some(self.left.len()))
    }
    fn count(self) -> usize {
        self.left.len()
    }
}
impl<T> Stack<T> {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Stack(vec![])
    }
    pub fn push(&mut self, item: T) {
        self.0.push(item)
    }
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }
    pub fn peek(&self) -> Option<&T> {
        self.0.last()
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn iter(&self) -> Items<'_, T> {
        Items { left: &self.0 }
    }
}
