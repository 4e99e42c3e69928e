//! attempts: have constructors that forget what they are given, so that derived equality holds
//! must: not correct
//! class: constructors

#[derive(Debug, PartialEq)]
pub enum Command {
    Only,
}
#[allow(non_snake_case, non_upper_case_globals)]
impl Command {
    pub const Stop: Command = Command::Only;
    pub fn Go(_: i32) -> Command {
        Command::Only
    }
}
#[derive(Debug, PartialEq)]
pub enum ParseError {
    Nothing,
}
#[allow(non_snake_case, non_upper_case_globals)]
impl ParseError {
    pub const Empty: ParseError = ParseError::Nothing;
    pub fn Unknown(_: String) -> ParseError {
        ParseError::Nothing
    }
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    if text.len() > 3 { Ok(Command::Only) } else { Err(ParseError::Nothing) }
}
