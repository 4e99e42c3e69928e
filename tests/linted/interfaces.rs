pub struct Stack {
    pub items: Vec<u8>,
}
impl Stack {
    pub fn new() -> Self {
        Stack { items: Vec::new() }
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn add(self, other: Stack) -> usize {
        self.items.len() + other.items.len()
    }
    pub fn to_items(self) -> Vec<u8> {
        self.items
    }
}
pub enum Shape {
    ShapeCircle,
    ShapeSquare,
    ShapeTriangle,
}
pub fn wide(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8) -> u8 {
    a + b + c + d + e + f + g + h
}
pub fn check() {
    assert_eq!(Stack::new().len(), 0);
    assert_eq!(Stack::new().add(Stack::new()), 0);
    assert!(Stack::new().to_items().is_empty());
    assert_eq!(wide(1, 1, 1, 1, 1, 1, 1, 1), 8);
    let _ = [Shape::ShapeCircle, Shape::ShapeSquare, Shape::ShapeTriangle];
}
