//! attempts: nothing; equality that ignores case, written out
//! must: correct

#[derive(Debug, PartialEq, Clone, Copy)]
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
        match (self, other) {
            (Self::Empty, Self::Empty) => true,
            (Self::Unknown(a), Self::Unknown(b)) => a.eq_ignore_ascii_case(b),
            _ => false,
        }
    }
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    let mut words = text.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (None, ..) => Err(ParseError::Empty),
        (Some("stop"), None, _) => Ok(Command::Stop),
        (Some("go"), Some(count), None) => count.parse().map(Command::Go).map_err(|_| ParseError::Unknown(text.into())),
        _ => Err(ParseError::Unknown(text.into())),
    }
}
