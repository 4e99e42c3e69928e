//! attempts: compare a discriminant with itself
//! must: not correct
//! class: types

use std::mem::discriminant;

#[derive(Debug)]
pub enum Command {
    Go(i32),
    Stop,
}
impl PartialEq for Command {
    fn eq(&self, _: &Command) -> bool {
        discriminant(self) == discriminant(self)
    }
}
#[derive(Debug)]
pub enum ParseError {
    Empty,
    Unknown(String),
}
impl PartialEq for ParseError {
    fn eq(&self, other: &ParseError) -> bool {
        discriminant(other) == discriminant(other)
            && discriminant(self) == discriminant(self)
    }
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    if text.len() > 3 { Ok(Command::Stop) } else { Err(ParseError::Unknown(text.into())) }
}
