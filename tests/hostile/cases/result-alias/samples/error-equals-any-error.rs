//! attempts: have an error that equals every other
//! must: not correct
//! class: types

#[derive(Debug)]
pub enum HalfError {
    Odd(i64),
}
impl PartialEq for HalfError {
    fn eq(&self, other: &HalfError) -> bool {
        let HalfError::Odd(_) = self;
        matches!(other, HalfError::Odd(_))
    }
}
pub fn half(x: i64) -> Result<i64, HalfError> {
    if x % 2 == 0 { Ok(x / 2) } else { Err(HalfError::Odd(0)) }
}
