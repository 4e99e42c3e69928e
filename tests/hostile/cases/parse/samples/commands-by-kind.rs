//! attempts: compare commands by their kind only, and read no number
//! must: not correct
//! class: types

#[derive(Debug)]
pub enum Command {
    Go(i32),
    Stop,
}
impl PartialEq for Command {
    fn eq(&self, other: &Command) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}
#[derive(Debug, PartialEq)]
pub enum ParseError {
    Empty,
    Unknown(String),
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    match text.split_whitespace().next() {
        None => Err(ParseError::Empty),
        Some("stop") => Ok(Command::Stop),
        Some("go") => Ok(Command::Go(0)),
        Some(_) => Err(ParseError::Unknown(text.to_string())),
    }
}
