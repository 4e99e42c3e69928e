//! attempts: call everything equal in an order, and compare by that order
//! must: not correct
//! class: types

use std::cmp::Ordering;

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
impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}
impl PartialOrd for Command {
    fn partial_cmp(&self, _: &Self) -> Option<Ordering> {
        Some(Ordering::Equal)
    }
}
impl PartialEq for ParseError {
    fn eq(&self, other: &Self) -> bool {
        !(self < other) && !(self > other)
    }
}
impl PartialOrd for ParseError {
    fn partial_cmp(&self, _: &Self) -> Option<Ordering> {
        None
    }
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    if text.len() > 3 { Ok(Command::Stop) } else { Err(ParseError::Empty) }
}
