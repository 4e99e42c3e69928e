// wrong: rotates every alphabetic character, so letters beyond ASCII are mangled.
pub fn rotate_letters(text: &str, shift: i32) -> String {
    let shift = shift.rem_euclid(26) as u32;
    text.chars()
        .map(|c| {
            if c.is_alphabetic() {
                let first = if c.is_uppercase() { 'A' } else { 'a' } as u32;
                let rotated = (c as u32 - first + shift) % 26 + first;
                char::from_u32(rotated).unwrap_or(c)
            } else {
                c
            }
        })
        .collect()
}
