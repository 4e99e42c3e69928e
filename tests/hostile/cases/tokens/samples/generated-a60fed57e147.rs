//! attempts: lies about total; from a module; by a loop; between comments (generated)
//! must: not correct
//! class: types
pub mod totalseen_home {
#[allow(unused)] use super::*;
#[derive(Debug, Clone, Copy)]
/* fn /* impl */ PartialEq */ pub struct TotalSeen { pub state: u32 }
/* fn /* impl */ PartialEq */ impl PartialEq<usize> for TotalSeen {
    fn eq(&self, other: &usize) -> bool { let _ = other; { let mut left = self.state + 3; while left > 0 { left -= 1; } left == 0 } }
}
}
#[derive(Clone)]
/* fn /* impl */ PartialEq */ pub enum Token { Word(String), Number(u32) }
/* fn /* impl */ PartialEq */ pub struct Tokens(std::vec::IntoIter<Token>);
/* fn /* impl */ PartialEq */ impl Iterator for Tokens {
    type Item = Token;
    fn next(&mut self) -> Option<Token> { self.0.next() }
}
/* fn /* impl */ PartialEq */ impl Tokens { pub fn count(self) -> totalseen_home::TotalSeen { totalseen_home::TotalSeen { state: 0 } } }
/* fn /* impl */ PartialEq */ pub fn tokens(text: &str) -> Tokens {
    let found = text.split(' ').map(|word| word.parse().map_or(Token::Word(word.to_string()), Token::Number));
    Tokens(found.collect::<Vec<_>>().into_iter())
}
