// wrong: has no `Drop` of its own, so dropping a long stack recurses once per node.
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
        let mut reversed = None;
        let mut rest = self.head.take();
        while let Some(mut node) = rest {
            rest = node.next.take();
            node.next = reversed;
            reversed = Some(node);
        }
        self.head = reversed;
    }
}

impl<T> Default for LinkedStack<T> {
    fn default() -> Self {
        Self::new()
    }
}
