// wrong: splits at every single space, so runs of spaces leave empty words and tabs do not separate.
pub fn reverse_words(text: &str) -> String {
    text.split(' ').rev().collect::<Vec<&str>>().join(" ")
}
