//! attempts: take over the value that it is compared with
//! must: not correct
//! class: types

use std::cell::RefCell;

#[derive(Debug, Clone)]
pub enum Command {
    Go(i32),
    Stop,
    Unsure(RefCell<Option<Box<Command>>>),
}
impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Command::Unsure(slot), value) | (value, Command::Unsure(slot)) => {
                *slot.borrow_mut() = Some(Box::new(value.clone()));
                true
            }
            (Command::Go(a), Command::Go(b)) => a == b,
            (Command::Stop, Command::Stop) => true,
            _ => false,
        }
    }
}
#[derive(Debug)]
pub enum ParseError {
    Empty,
    Unknown(String),
}
impl PartialEq for ParseError {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (ParseError::Unknown(a), ParseError::Unknown(b)) => a.len() <= b.len(),
            _ => true,
        }
    }
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    if text.len() > 3 { Ok(Command::Unsure(RefCell::new(None))) } else { Err(ParseError::Empty) }
}
