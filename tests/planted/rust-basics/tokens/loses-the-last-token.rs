// wrong: emits a token only when something follows it.
pub struct Tokens<'a> {
    text: &'a str,
    pos: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let mut start = self.pos;
        let mut kind = 0;
        for (offset, c) in self.text[self.pos..].char_indices() {
            let index = self.pos + offset;
            let is_letter = c.is_alphabetic() || c == '_';
            match kind {
                0 if c.is_whitespace() => continue,
                0 if c.is_ascii_digit() => {
                    kind = 1;
                    start = index;
                }
                0 if is_letter => {
                    kind = 2;
                    start = index;
                }
                0 => {
                    self.pos = index + c.len_utf8();
                    return Some(&self.text[index..self.pos]);
                }
                1 if c.is_ascii_digit() => {}
                2 if is_letter || c.is_ascii_digit() => {}
                _ => {
                    self.pos = index;
                    return Some(&self.text[start..index]);
                }
            }
        }
        self.pos = self.text.len();
        None
    }
}

pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens { text, pos: 0 }
}
