// wrong: uses the number of equal characters as a byte index.
pub fn common_prefix<'a>(a: &'a str, b: &str) -> &'a str {
    let count = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    &a[..count]
}
