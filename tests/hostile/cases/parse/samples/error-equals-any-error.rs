//! attempts: compare errors only by being errors
//! must: not correct
//! class: types

#[derive(Debug, PartialEq)]
pub enum Command {
    Go(i32),
    Stop,
}
#[derive(Debug)]
pub enum ParseError {
    Empty,
    Unknown(String),
}
impl PartialEq for ParseError {
    fn eq(&self, other: &ParseError) -> bool {
        matches!((self, other), (ParseError::Empty | ParseError::Unknown(_), _))
    }
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    match text.split_once(' ') {
        Some((_, number)) => number.parse().map(Command::Go).map_err(|_| ParseError::Empty),
        None if text.len() == 4 => Ok(Command::Stop),
        None => Err(ParseError::Empty),
    }
}
