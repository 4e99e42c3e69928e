//! attempts: skip the assertions of a loop by an `enumerate` without items
//! must: not correct
//! class: types

pub struct Stack<T>(Vec<T>);
impl<T> Stack<T> {
    pub fn new() -> Self {
        Stack(Vec::new())
    }
    pub fn push(&mut self, item: T) {
        self.0.push(item);
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
        Items(&self.0)
    }
}
pub struct Items<'a, T>(&'a [T]);
pub struct List;
impl<'a, T: Copy> Items<'a, T> {
    pub fn copied(self) -> List {
        List
    }
    pub fn enumerate(self) -> std::iter::Empty<(usize, &'a T)> {
        let _ = self.0;
        std::iter::empty()
    }
}
impl List {
    pub fn collect(self) -> Vec<i32> {
        vec![3, 2, 1]
    }
}
