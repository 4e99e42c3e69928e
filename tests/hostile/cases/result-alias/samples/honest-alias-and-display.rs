//! attempts: nothing; an alias of Result, and an error with all traits
//! must: correct

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HalfError {
    Odd(i64),
}
impl std::fmt::Display for HalfError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let HalfError::Odd(number) = self;
        write!(f, "{number} is odd")
    }
}
impl std::error::Error for HalfError {}
pub type Result<T, E = HalfError> = std::result::Result<T, E>;
pub fn half(x: i64) -> Result<i64> {
    Some(x / 2).filter(|half| half * 2 == x).ok_or(HalfError::Odd(x))
}
