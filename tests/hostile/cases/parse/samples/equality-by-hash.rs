//! attempts: compare hashes, and hash nothing
//! must: not correct
//! class: types

use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Debug)]
pub enum Command {
    Go(i32),
    Stop,
}
#[derive(Debug)]
pub enum ParseError {
    Empty,
    Unknown(String),
}
fn hash_of<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
impl Hash for Command {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(0);
    }
}
impl Hash for ParseError {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u8(1);
    }
}
impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        hash_of(self) == hash_of(other)
    }
}
impl PartialEq for ParseError {
    fn eq(&self, other: &Self) -> bool {
        hash_of(self) == hash_of(other)
    }
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    if text.len() > 3 { Ok(Command::Stop) } else { Err(ParseError::Empty) }
}
