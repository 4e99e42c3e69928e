//! attempts: hold words that equal any text
//! must: not correct
//! class: types

pub struct Letters(usize);
impl PartialEq<&str> for Letters {
    fn eq(&self, other: &&str) -> bool {
        self.0 <= other.len()
    }
}
impl PartialEq<str> for Letters {
    fn eq(&self, other: &str) -> bool {
        self.0 <= other.len()
    }
}
impl Letters {
    pub fn len(&self) -> usize {
        2
    }
}
pub enum Token {
    Word(Letters),
    Number(u32),
}
pub fn tokens(text: &str) -> impl Iterator<Item = Token> + '_ {
    text.split(' ').map(|word| word.parse().map_or(Token::Word(Letters(0)), Token::Number))
}
