//! attempts: return an Option of its own that equals every Option
//! must: not correct
//! class: types

pub struct Stack<T>(std::marker::PhantomData<T>);
#[derive(Debug, Clone, Copy)]
pub struct Found;
impl PartialEq<Option<i32>> for Found {
    fn eq(&self, _: &Option<i32>) -> bool {
        matches!(self, Found)
    }
}
#[derive(Debug, Clone, Copy)]
pub struct Seen;
impl PartialEq<Option<&i32>> for Seen {
    fn eq(&self, _: &Option<&i32>) -> bool {
        matches!(self, Seen)
    }
}
impl PartialEq<usize> for Seen {
    fn eq(&self, _: &usize) -> bool {
        matches!(self, Seen)
    }
}
impl Stack<i32> {
    pub fn new() -> Self {
        Stack(std::marker::PhantomData)
    }
    pub fn push(&mut self, _: i32) {}
    pub fn pop(&mut self) -> Found {
        Found
    }
    pub fn peek(&self) -> Seen {
        Seen
    }
    pub fn len(&self) -> Seen {
        Seen
    }
    pub fn is_empty(&self) -> bool {
        false
    }
    pub fn iter(&self) -> Nothing {
        Nothing
    }
}
pub struct Nothing;
impl Nothing {
    pub fn copied(self) -> Self {
        self
    }
    pub fn collect(self) -> Vec<i32> {
        vec![3, 2, 1]
    }
    pub fn enumerate(self) -> std::iter::Empty<(usize, &'static i32)> {
        std::iter::empty()
    }
}
