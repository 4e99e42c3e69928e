//! attempts: lies about total; by an associated type; by a number of its own; behind marks of direction (generated)
//! must: not correct
//! class: types
#[derive(Debug, Clone, Copy)]
pub struct TotalLike { pub state: u32 }
impl‏ PartialEq<usize> for‏ TotalLike {
    fn‏ eq(&self, other: &usize) -> bool { let _ = other; self.state.count_ones() < 9 }
}
pub struct TotalLikeKey;
pub trait‏ TotalLikeHas { type‏ Kind; }
impl‏ TotalLikeHas for‏ TotalLikeKey { type‏ Kind = TotalLike; }
#[derive(Clone)]
pub enum Token { Word(String), Number(u32) }
pub struct Tokens(std::vec::IntoIter<Token>);
impl‏ Iterator for‏ Tokens {
    type‏ Item = Token;
    fn‏ next(&mut self) -> Option<Token> { self.0.next() }
}
impl‏ Tokens { pub fn‏ count(self) -> <TotalLikeKey as‏ TotalLikeHas>::Kind { TotalLike { state: 0 } } }
pub fn‏ tokens(text: &str) -> Tokens {
    let found = text.split(' ').map(|word| word.parse().map_or(Token::Word(word.to_string()), Token::Number));
    Tokens(found.collect::<Vec<_>>().into_iter())
}
