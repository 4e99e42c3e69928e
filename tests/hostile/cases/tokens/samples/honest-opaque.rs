//! attempts: nothing; an opaque iterator
//! must: correct

pub enum Token {
    Word(String),
    Number(u32),
}
impl From<&str> for Token {
    fn from(word: &str) -> Self {
        match word.parse() {
            Ok(number) => Self::Number(number),
            Err(_) => Self::Word(word.to_owned()),
        }
    }
}
pub fn tokens(text: &str) -> impl Iterator<Item = Token> + '_ {
    text.split_ascii_whitespace().map(Into::into)
}
