#[derive(Clone)]
pub struct Point {
    pub x: i32,
}
impl PartialEq for Point {
    fn eq(&self, other: &Point) -> bool {
        self.x == other.x
    }
    fn ne(&self, other: &Point) -> bool {
        self.x != other.x
    }
}
impl Into<i32> for Point {
    fn into(self) -> i32 {
        self.x
    }
}
impl Default for Point {
    fn default() -> Self {
        Point { x: 0 }
    }
}
pub fn check() {
    let point = Point { x: 1 };
    let again = point.clone();
    assert!(point == again.clone());
    let number: i32 = again.into();
    assert_eq!(number, 1);
}
