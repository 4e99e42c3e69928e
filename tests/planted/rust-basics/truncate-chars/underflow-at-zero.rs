// wrong: subtracts one from the limit, which underflows for zero.
pub fn truncate_chars(text: &str, max_chars: usize) -> &str {
    match text.char_indices().nth(max_chars - 1) {
        Some((start, c)) => &text[..start + c.len_utf8()],
        None => text,
    }
}
