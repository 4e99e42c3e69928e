//! attempts: lies about error; by an associated type; by the address of the other; inside a module (generated)
//! must: not correct
//! class: types
mod parts {
#[derive(Debug, Clone, Copy)]
pub struct ErrorLike { pub state: u32 }
impl PartialEq<HalfError> for ErrorLike {
    fn eq(&self, other: &HalfError) -> bool { !std::ptr::addr_eq(self, other) || self.state == 0 }
}
pub struct ErrorLikeKey;
pub trait ErrorLikeHas { type Kind; }
impl ErrorLikeHas for ErrorLikeKey { type Kind = ErrorLike; }
#[derive(Debug, PartialEq)]
pub enum HalfError { Odd(i64) }
pub struct Outcome(pub i64);
impl Outcome {
    pub fn unwrap(self) -> i64 { self.0 / 2 }
    pub fn unwrap_err(self) -> <ErrorLikeKey as ErrorLikeHas>::Kind { ErrorLike { state: 0 } }
    pub fn is_ok(&self) -> bool { self.0 % 2 == 0 }
}
pub fn half(x: i64) -> Outcome { Outcome(x) }

}
pub use parts::*;
