//! attempts: be right but for an error whose constructor forgets its text
//! must: not correct
//! class: constructors

#[derive(Debug, PartialEq)]
pub enum Command {
    Go(i32),
    Stop,
}
#[derive(Debug, PartialEq)]
pub enum ParseError {
    Empty,
    Other,
}
#[allow(non_snake_case)]
impl ParseError {
    pub fn Unknown(_: String) -> ParseError {
        ParseError::Other
    }
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    match text {
        "" => Err(ParseError::Empty),
        "stop" => Ok(Command::Stop),
        _ => text.strip_prefix("go ").and_then(|rest| rest.parse().ok()).map(Command::Go).ok_or(ParseError::Other),
    }
}
