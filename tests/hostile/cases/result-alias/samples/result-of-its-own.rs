//! attempts: return a Result of its own
//! must: not correct
//! class: types

#[derive(Debug, PartialEq)]
pub enum HalfError {
    Odd(i64),
}
pub struct Outcome;
#[derive(Debug)]
pub struct Any;
impl<T> PartialEq<T> for Any {
    fn eq(&self, _: &T) -> bool {
        matches!(self, Any)
    }
}
impl Outcome {
    pub fn unwrap(self) -> Any {
        Any
    }
    pub fn unwrap_err(self) -> Any {
        Any
    }
    pub fn is_ok(&self) -> bool {
        true
    }
}
pub fn half(_: i64) -> Outcome {
    Outcome
}
