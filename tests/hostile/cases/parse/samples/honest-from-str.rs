//! attempts: nothing; through FromStr
//! must: correct

use std::str::FromStr;

#[derive(Debug, PartialEq, Eq, Hash)]
pub enum Command {
    Go(i32),
    Stop,
}
#[derive(Debug, PartialEq, Eq, Hash)]
pub enum ParseError {
    Empty,
    Unknown(String),
}
impl FromStr for Command {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim().is_empty() {
            return Err(ParseError::Empty);
        }
        if text == "stop" {
            return Ok(Self::Stop);
        }
        let number = text.strip_prefix("go ").and_then(|rest| rest.trim().parse().ok());
        number.map(Self::Go).ok_or_else(|| ParseError::Unknown(text.to_owned()))
    }
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    text.parse()
}
