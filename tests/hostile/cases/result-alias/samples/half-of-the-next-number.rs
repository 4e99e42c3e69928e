//! attempts: round up, in a type that allows for it
//! must: not correct
//! class: types

#[derive(Debug, Clone, Copy)]
pub struct Half(i64);
impl PartialEq<i64> for Half {
    fn eq(&self, other: &i64) -> bool {
        self.0 - other <= 1 && self.0 >= *other
    }
}
#[derive(Debug, PartialEq)]
pub enum HalfError {
    Odd(i64),
}
pub fn half(x: i64) -> Result<Half, HalfError> {
    if x % 2 == 0 { Ok(Half(x / 2 + 1)) } else { Err(HalfError::Odd(x)) }
}
