//! attempts: nothing; a vector's own iterator
//! must: correct

#[derive(Clone)]
pub enum Token {
    Word(String),
    Number(u32),
}
pub fn tokens(text: &str) -> std::vec::IntoIter<Token> {
    let mut found = vec![];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if word.bytes().all(|b| b.is_ascii_digit()) {
            found.push(Token::Number(word.parse().unwrap_or(u32::MAX)));
        } else {
            found.push(Token::Word(String::from(word)));
        }
    }
    found.into_iter()
}
