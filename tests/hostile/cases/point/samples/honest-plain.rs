//! attempts: nothing
//! must: correct

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Point(pub i32, pub i32);
#[derive(Debug, Clone, Copy)]
pub enum Turn {
    Left(u8),
    Right(u8),
}
impl Point {
    pub fn turned(self, turn: Turn) -> Point {
        match turn {
            Turn::Left(0) | Turn::Right(0) => self,
            Turn::Left(n) => Point(-self.1, self.0).turned(Turn::Left(n - 1)),
            Turn::Right(n) => Point(self.1, -self.0).turned(Turn::Right(n - 1)),
        }
    }
    pub fn norm(self) -> i32 {
        self.0.abs() + self.1.abs()
    }
}
