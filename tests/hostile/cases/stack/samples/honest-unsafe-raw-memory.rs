//! attempts: nothing; it manages memory itself
//! must: correct

use std::alloc::{alloc, dealloc, Layout};
use std::ptr::{self, NonNull};

pub struct Stack<T> {
    top: Option<NonNull<Node<T>>>,
    len: usize,
}
struct Node<T> {
    item: T,
    below: Option<NonNull<Node<T>>>,
}
impl<T> Stack<T> {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Stack { top: None, len: 0 }
    }
    pub fn push(&mut self, item: T) {
        let layout = Layout::new::<Node<T>>();
        let node = unsafe { alloc(layout) }.cast::<Node<T>>();
        let node = NonNull::new(node).expect("memory");
        unsafe { ptr::write(node.as_ptr(), Node { item, below: self.top }) };
        self.top = Some(node);
        self.len += 1;
    }
    pub fn pop(&mut self) -> Option<T> {
        let top = self.top?;
        let node = unsafe { ptr::read(top.as_ptr()) };
        unsafe { dealloc(top.as_ptr().cast(), Layout::new::<Node<T>>()) };
        self.top = node.below;
        self.len -= 1;
        Some(node.item)
    }
    pub fn peek(&self) -> Option<&T> {
        self.top.map(|top| unsafe { &(*top.as_ptr()).item })
    }
    pub fn len(&self) -> usize {
        self.len
    }
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut at = self.top;
        std::iter::from_fn(move || {
            let node = unsafe { &*at?.as_ptr() };
            at = node.below;
            Some(&node.item)
        })
    }
}
impl<T> Drop for Stack<T> {
    fn drop(&mut self) {
        while self.pop().is_some() {}
    }
}
