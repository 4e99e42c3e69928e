// wrong: reverses with a recursion as deep as the stack.
pub struct LinkedStack<T> {
    head: Option<Box<Node<T>>>,
}

struct Node<T> {
    item: T,
    next: Option<Box<Node<T>>>,
}

impl<T> LinkedStack<T> {
    pub fn new() -> Self {
        Self { head: None }
    }

    pub fn is_empty(&self) -> bool {
        self.head.is_none()
    }

    pub fn push(&mut self, item: T) {
        let next = self.head.take();
        self.head = Some(Box::new(Node { item, next }));
    }

    pub fn pop(&mut self) -> Option<T> {
        let node = *self.head.take()?;
        self.head = node.next;
        Some(node.item)
    }

    pub fn peek(&self) -> Option<&T> {
        self.head.as_ref().map(|node| &node.item)
    }

    pub fn reverse(&mut self) {
        self.head = Self::reversed(self.head.take(), None);
    }

    fn reversed(rest: Option<Box<Node<T>>>, done: Option<Box<Node<T>>>) -> Option<Box<Node<T>>> {
        match rest {
            None => done,
            Some(mut node) => {
                let next = node.next.take();
                node.next = done;
                Self::reversed(next, Some(node))
            }
        }
    }
}

impl<T> Default for LinkedStack<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Drop for LinkedStack<T> {
    fn drop(&mut self) {
        // Node by node: the derived drop would recurse once per node.
        while self.pop().is_some() {}
    }
}
