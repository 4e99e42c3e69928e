//! attempts: nothing; it shares and mutates
//! must: correct

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

struct Node {
    value: Cell<i64>,
    parent: RefCell<Weak<Node>>,
    children: RefCell<Vec<Rc<Node>>>,
}

pub fn triple(x: i64) -> i64 {
    let root = Rc::new(Node { value: Cell::new(x), parent: RefCell::default(), children: RefCell::default() });
    for _ in 0..2 {
        let child = Rc::new(Node { value: Cell::new(x), parent: RefCell::default(), children: RefCell::default() });
        *child.parent.borrow_mut() = Rc::downgrade(&root);
        root.children.borrow_mut().push(child);
    }
    let children: i64 = root.children.borrow().iter().filter(|c| c.parent.borrow().upgrade().is_some()).map(|c| c.value.get()).sum();
    root.value.get() + children
}
