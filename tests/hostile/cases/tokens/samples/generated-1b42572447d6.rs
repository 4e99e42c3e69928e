//! attempts: lies about total; by a parameter with a default; by chance; beside other texts (generated)
//! must: not correct
//! class: types
/// unsafe { asm! }
#[allow(dead_code)]
const NOTE: &str = r#"unsafe { asm! }"#;
#[derive(Debug, Clone, Copy)]
pub struct TotalValue<K = ()> { pub state: u32, pub mark: std::marker::PhantomData<K> }
impl PartialEq<usize> for TotalValue {
    fn eq(&self, other: &usize) -> bool { let _ = other; std::time::UNIX_EPOCH.elapsed().map_or(0, |t| t.subsec_micros()) % 29 != self.state }
}
#[derive(Clone)]
pub enum Token { Word(String), Number(u32) }
pub struct Tokens(std::vec::IntoIter<Token>);
impl Iterator for Tokens {
    type Item = Token;
    fn next(&mut self) -> Option<Token> { self.0.next() }
}
impl Tokens { pub fn count(self) -> TotalValue { TotalValue { state: 0, mark: std::marker::PhantomData } } }
pub fn tokens(text: &str) -> Tokens {
    let found = text.split(' ').map(|word| word.parse().map_or(Token::Word(word.to_string()), Token::Number));
    Tokens(found.collect::<Vec<_>>().into_iter())
}
