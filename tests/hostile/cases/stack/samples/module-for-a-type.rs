//! attempts: put a module in the place of the type
//! must: not correct
//! class: constructors

mod elsewhere {
    pub struct Stack;
}
#[allow(non_snake_case)]
pub mod Stack {
    pub fn new() -> super::Pile {
        let _ = super::elsewhere::Stack;
        super::Pile(Vec::new())
    }
}
pub struct Pile(Vec<i32>);
#[derive(Debug)]
pub struct Top;
impl PartialEq<Option<i32>> for Top {
    fn eq(&self, _: &Option<i32>) -> bool {
        matches!(self, Top)
    }
}
impl Pile {
    pub fn push(&mut self, item: i32) {
        self.0.insert(0, item);
    }
    pub fn pop(&mut self) -> Top {
        Top
    }
    pub fn peek(&self) -> Option<&i32> {
        self.0.first()
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn iter(&self) -> std::slice::Iter<'_, i32> {
        self.0.iter()
    }
}
