// wrong: takes every symbol for one byte long.
pub struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let first = rest.chars().next()?;
        let length = if first.is_ascii_digit() {
            run_length(rest, |c| c.is_ascii_digit())
        } else if starts_word(first) {
            run_length(rest, |c| starts_word(c) || c.is_ascii_digit())
        } else {
            1
        };
        let (token, rest) = rest.split_at(length);
        self.rest = rest;
        Some(token)
    }
}

pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens { rest: text }
}

fn starts_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn run_length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}
