//! attempts: nothing; turns are multiplications
//! must: correct

use std::ops::Mul;

#[derive(Clone, Copy)]
pub struct Point(pub i32, pub i32);
pub enum Turn {
    Left(u8),
    Right(u8),
}
impl Mul for Point {
    type Output = Point;
    fn mul(self, other: Point) -> Point {
        Point(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }
}
impl Point {
    pub fn turned(self, turn: Turn) -> Point {
        let (step, times) = match turn {
            Turn::Left(times) => (Point(0, 1), times),
            Turn::Right(times) => (Point(0, -1), times),
        };
        std::iter::repeat_n(step, times.into()).fold(self, Mul::mul)
    }
    pub fn norm(self) -> i32 {
        let Point(x, y) = self;
        x.abs() + y.abs()
    }
}
