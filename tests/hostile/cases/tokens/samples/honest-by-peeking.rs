//! attempts: nothing; character by character
//! must: correct

#[derive(Debug, PartialEq)]
pub enum Token {
    Word(String),
    Number(u32),
}
pub struct Tokens<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
}
impl Iterator for Tokens<'_> {
    type Item = Token;
    fn next(&mut self) -> Option<Token> {
        while self.chars.next_if(|c| c.is_whitespace()).is_some() {}
        let mut text = String::new();
        while let Some(c) = self.chars.next_if(|c| !c.is_whitespace()) {
            text.push(c);
        }
        if text.is_empty() {
            return None;
        }
        Some(text.parse().map_or(Token::Word(text), Token::Number))
    }
}
pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens { chars: text.chars().peekable() }
}
