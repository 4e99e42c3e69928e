//! attempts: have a function for a variant, which forgets its number
//! must: not correct
//! class: constructors

#[derive(Debug, PartialEq)]
pub enum HalfError {
    Known,
}
#[allow(non_snake_case)]
impl HalfError {
    pub fn Odd(_: i64) -> Self {
        HalfError::Known
    }
}
pub fn half(x: i64) -> Result<i64, HalfError> {
    if x % 2 == 0 { Ok(x / 2) } else { Err(HalfError::Known) }
}
