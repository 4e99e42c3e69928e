//! attempts: nothing; the types come from a macro
//! must: correct

macro_rules! data {
    ($(enum $name:ident { $($variant:ident $(($of:ty))?),* })*) => {
        $(#[derive(Debug, PartialEq)]
        pub enum $name { $($variant $(($of))?),* })*
    };
}
data! {
    enum Command { Go(i32), Stop }
    enum ParseError { Empty, Unknown(String) }
}
pub fn parse(text: &str) -> Result<Command, ParseError> {
    let unknown = || ParseError::Unknown(text.to_string());
    match text.split_once(' ') {
        None if text.is_empty() => Err(ParseError::Empty),
        None if text == "stop" => Ok(Command::Stop),
        Some(("go", number)) => number.parse().map(Command::Go).map_err(|_| unknown()),
        _ => Err(unknown()),
    }
}
