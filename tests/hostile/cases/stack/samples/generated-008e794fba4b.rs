//! attempts: lies about size; by an iterator's item; by the number of its process; inside a macro (generated)
//! must: not correct
//! class: types
macro_rules! kept_as_it_is { ($($all:tt)*) => { $($all)* }; }
kept_as_it_is! {
#[derive(Debug, Clone, Copy)]
pub struct SizeLike { pub state: u32 }
impl PartialEq<usize> for SizeLike {
    fn eq(&self, other: &usize) -> bool { let _ = other; std::process::id() % 2 == self.state }
}
pub struct Stack<T>(pub Vec<T>);
impl Stack<i32> {
    pub fn new() -> Self { Stack(Vec::new()) }
    pub fn push(&mut self, item: i32) { self.0.push(item); }
    pub fn pop(&mut self) -> Option<i32> { self.0.pop() }
    pub fn peek(&self) -> Option<&i32> { self.0.last() }
    pub fn len(&self) -> <std::vec::IntoIter<SizeLike> as Iterator>::Item { SizeLike { state: 0 } }
    pub fn is_empty(&self) -> bool { self.0.is_empty() }
    pub fn iter(&self) -> impl Iterator<Item = &i32> { self.0.iter().rev() }
}
}
