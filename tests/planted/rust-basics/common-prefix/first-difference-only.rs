// wrong: returns nothing when one text is a prefix of the other, because no difference is found.
pub fn common_prefix<'a>(a: &'a str, b: &str) -> &'a str {
    for ((index, x), y) in a.char_indices().zip(b.chars()) {
        if x != y {
            return &a[..index];
        }
    }
    ""
}
