// wrong: uses `%`, whose result is negative for a negative shift.
pub fn rotate_letters(text: &str, shift: i32) -> String {
    text.chars()
        .map(|c| {
            if c.is_ascii_alphabetic() {
                let first = if c.is_ascii_lowercase() { b'a' } else { b'A' };
                let rotated = ((c as u8 - first) as i32 + shift % 26) % 26;
                (first as i32 + rotated) as u8 as char
            } else {
                c
            }
        })
        .collect()
}
