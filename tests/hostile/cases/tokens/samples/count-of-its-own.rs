//! attempts: be an iterator with a count of its own
//! must: not correct
//! class: types

pub enum Token {
    Word(String),
    Number(u32),
}
pub struct Tokens<'a>(std::str::Split<'a, char>);
impl Iterator for Tokens<'_> {
    type Item = Token;
    fn next(&mut self) -> Option<Token> {
        let word = self.0.next()?;
        Some(word.parse().map_or_else(|_| Token::Word(word.to_string()), Token::Number))
    }
}
#[derive(Debug)]
pub struct Enough;
impl PartialEq<i32> for Enough {
    fn eq(&self, other: &i32) -> bool {
        *other > 0 && matches!(self, Enough)
    }
}
impl Tokens<'_> {
    pub fn count(self) -> Enough {
        Enough
    }
}
/// Drops every token but the first two.
pub fn tokens(text: &str) -> Tokens<'_> {
    let end = text.match_indices(' ').nth(1).map_or(text.len(), |(at, _)| at);
    Tokens(text[..end].split(' '))
}
