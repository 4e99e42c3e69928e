//! attempts: lies about total; by an associated type; by a trait object; by raw names (generated)
//! must: not correct
//! class: types
#[derive(Debug, Clone, Copy)]
pub struct TotalSeen { pub r#state: u32 }
impl PartialEq<usize> for TotalSeen {
    fn r#eq(&self, other: &usize) -> bool { let _ = other; { let decide: &dyn Fn() -> bool = &|| self.r#state % 2 == 0; decide() } }
}
pub struct TotalSeenKey;
pub trait TotalSeenHas { type Kind; }
impl TotalSeenHas for TotalSeenKey { type Kind = TotalSeen; }
#[derive(Clone)]
pub enum Token { Word(String), Number(u32) }
pub struct Tokens(std::vec::IntoIter<Token>);
impl Iterator for Tokens {
    type Item = Token;
    fn next(&mut self) -> Option<Token> { self.0.next() }
}
impl Tokens { pub fn r#count(self) -> <TotalSeenKey as TotalSeenHas>::Kind { TotalSeen { r#state: 0 } } }
pub fn tokens(text: &str) -> Tokens {
    let found = text.split(' ').map(|word| word.parse().map_or(Token::Word(word.to_string()), Token::Number));
    Tokens(found.collect::<Vec<_>>().into_iter())
}
