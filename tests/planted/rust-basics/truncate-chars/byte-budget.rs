// wrong: cuts to that many bytes at a character boundary, so it keeps too few characters.
pub fn truncate_chars(text: &str, max_chars: usize) -> &str {
    let mut end = max_chars.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
