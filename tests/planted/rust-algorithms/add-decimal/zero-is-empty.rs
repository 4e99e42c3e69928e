// wrong: trims all zeros, so that zero becomes the empty text.
pub fn add_decimal(a: &str, b: &str) -> Option<String> {
    let to_digits = |s: &str| -> Option<Vec<u32>> {
        if s.is_empty() {
            return None;
        }
        s.chars().rev().map(|c| c.to_digit(10)).collect()
    };
    let (a, b) = (to_digits(a)?, to_digits(b)?);
    let mut out = String::new();
    let mut carry = 0;
    let mut i = 0;
    while i < a.len() || i < b.len() || carry > 0 {
        let sum = a.get(i).copied().unwrap_or(0) + b.get(i).copied().unwrap_or(0) + carry;
        out.insert(0, char::from_digit(sum % 10, 10)?);
        carry = sum / 10;
        i += 1;
    }
    Some(out.trim_start_matches('0').to_string())
}
