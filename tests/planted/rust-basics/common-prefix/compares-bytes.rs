// wrong: compares bytes and slices inside a character.
pub fn common_prefix<'a>(a: &'a str, b: &str) -> &'a str {
    let length = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    &a[..length]
}
