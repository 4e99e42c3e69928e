// wrong: adds the whole shift before it takes the remainder, which overflows for i32::MAX.
pub fn rotate_letters(text: &str, shift: i32) -> String {
    text.chars()
        .map(|c| match c {
            'a'..='z' => rotate(c, b'a', shift),
            'A'..='Z' => rotate(c, b'A', shift),
            _ => c,
        })
        .collect()
}

fn rotate(c: char, first: u8, shift: i32) -> char {
    let place = (c as u8 - first) as i32;
    (first + (place + shift).rem_euclid(26) as u8) as char
}
