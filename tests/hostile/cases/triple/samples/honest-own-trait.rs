//! attempts: nothing; it has a trait with methods named like std's
//! must: correct

pub trait Len {
    fn len(self) -> i64;
    fn parse(&self) -> i64;
}
impl Len for i64 {
    fn len(self) -> i64 {
        self * 3
    }
    fn parse(&self) -> i64 {
        *self
    }
}

pub fn triple(x: i64) -> i64 {
    x.parse().len()
}
