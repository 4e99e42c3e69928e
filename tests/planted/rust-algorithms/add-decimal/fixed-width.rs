// wrong: parses into u128, which overflows for long numbers.
pub fn add_decimal(a: &str, b: &str) -> Option<String> {
    let valid = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_digit());
    if !valid(a) || !valid(b) {
        return None;
    }
    let a: u128 = a.parse().ok()?;
    let b: u128 = b.parse().ok()?;
    Some((a.checked_add(b)?).to_string())
}
