// wrong: takes the limit for a byte index, which panics inside a character.
pub fn truncate_chars(text: &str, max_chars: usize) -> &str {
    if text.len() <= max_chars {
        text
    } else {
        &text[..max_chars]
    }
}
