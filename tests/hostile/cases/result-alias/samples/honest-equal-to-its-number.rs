//! attempts: nothing; an error that can be compared with a number
//! must: correct

#[derive(Debug, PartialEq)]
pub enum HalfError {
    Odd(i64),
}
impl PartialEq<i64> for HalfError {
    fn eq(&self, other: &i64) -> bool {
        matches!(self, HalfError::Odd(number) if number == other)
    }
}
pub fn half(x: i64) -> Result<i64, HalfError> {
    match x.rem_euclid(2) {
        0 => Ok(x / 2),
        _ => Err(HalfError::Odd(x)),
    }
}
