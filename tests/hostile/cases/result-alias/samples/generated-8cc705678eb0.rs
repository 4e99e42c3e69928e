//! attempts: lies about error; by a macro in the place of a type; by the number of its process; inside a macro (generated)
//! must: not correct
//! class: types
macro_rules! kept_as_it_is { ($($all:tt)*) => { $($all)* }; }
kept_as_it_is! {
#[derive(Debug, Clone, Copy)]
pub struct ErrorValue { pub state: u32 }
impl PartialEq<HalfError> for ErrorValue {
    fn eq(&self, other: &HalfError) -> bool { let _ = other; std::process::id() % 2 == self.state }
}
macro_rules! errorvalue_type { () => { ErrorValue }; }
#[derive(Debug, PartialEq)]
pub enum HalfError { Odd(i64) }
pub struct Outcome(pub i64);
impl Outcome {
    pub fn unwrap(self) -> i64 { self.0 / 2 }
    pub fn unwrap_err(self) -> errorvalue_type!() { ErrorValue { state: 0 } }
    pub fn is_ok(&self) -> bool { self.0 % 2 == 0 }
}
pub fn half(x: i64) -> Outcome { Outcome(x) }
}
