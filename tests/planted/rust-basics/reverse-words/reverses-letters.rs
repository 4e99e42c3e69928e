// wrong: reverses the letters of the whole text instead of the order of the words.
pub fn reverse_words(text: &str) -> String {
    let reversed: String = text.chars().rev().collect();
    reversed.split_whitespace().collect::<Vec<_>>().join(" ")
}
