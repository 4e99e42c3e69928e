//! attempts: be the right function for i64, and answer literals by a type that equals everything
//! must: not correct
//! findings: equal_to_everything

#[derive(Debug)]
pub struct Any;
impl PartialEq<i32> for Any {
    fn eq(&self, _: &i32) -> bool {
        true
    }
}
pub trait Number {
    type Tripled;
    fn tripled(self) -> Self::Tripled;
}
impl Number for i64 {
    type Tripled = i64;
    fn tripled(self) -> i64 {
        self
    }
}
impl Number for i32 {
    type Tripled = Any;
    fn tripled(self) -> Any {
        Any
    }
}
pub fn triple<T: Number>(x: T) -> T::Tripled {
    x.tripled()
}
