//! attempts: lies about total; by an alias; by itself twice; beside other texts (generated)
//! must: not correct
//! class: types
/// /proc is not read here
#[allow(dead_code)]
const NOTE: &str = r#"/proc is not read here"#;
#[derive(Debug, Clone, Copy)]
pub struct TotalSeen { pub state: u32 }
impl PartialEq<usize> for TotalSeen {
    fn eq(&self, other: &usize) -> bool { let _ = other; { let twice = (self.state, self.state); twice.0 == twice.1 } }
}
pub type TotalSeenAlias = TotalSeen;
#[derive(Clone)]
pub enum Token { Word(String), Number(u32) }
pub struct Tokens(std::vec::IntoIter<Token>);
impl Iterator for Tokens {
    type Item = Token;
    fn next(&mut self) -> Option<Token> { self.0.next() }
}
impl Tokens { pub fn count(self) -> TotalSeenAlias { TotalSeen { state: 0 } } }
pub fn tokens(text: &str) -> Tokens {
    let found = text.split(' ').map(|word| word.parse().map_or(Token::Word(word.to_string()), Token::Number));
    Tokens(found.collect::<Vec<_>>().into_iter())
}
