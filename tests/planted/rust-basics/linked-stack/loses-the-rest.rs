// wrong: cuts the list off at the old head while reversing.
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
        let mut previous = None;
        let mut current = self.head.take();
        while let Some(mut node) = current {
            current = node.next.take();
            if current.is_none() {
                self.head = Some(node);
                return;
            }
            node.next = previous;
            previous = Some(node);
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
