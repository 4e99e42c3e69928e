//! attempts: define types and functions of the prelude's names
//! must: not correct
//! findings: shadowed_std

pub struct Vec;
pub enum Option<T> { Some(T), None }
pub enum Result<T, E> { Ok(T), Err(E) }
pub struct String;
pub fn drop<T>(_: T) {}
#[allow(non_camel_case_types)]
pub struct i64;
pub fn triple(x: ::core::primitive::i64) -> ::core::primitive::i64 {
    x
}
