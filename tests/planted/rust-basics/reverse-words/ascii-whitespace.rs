// wrong: splits at ASCII whitespace only.
pub fn reverse_words(text: &str) -> String {
    let mut words: Vec<&str> = text.split_ascii_whitespace().collect();
    words.reverse();
    words.join(" ")
}
