// wrong: drops the carry after the last digit.
pub fn add_decimal(a: &str, b: &str) -> Option<String> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    if !a.bytes().chain(b.bytes()).all(|c| c.is_ascii_digit()) {
        return None;
    }
    let a: Vec<u8> = a.bytes().rev().map(|c| c - b'0').collect();
    let b: Vec<u8> = b.bytes().rev().map(|c| c - b'0').collect();
    let mut digits = Vec::new();
    let mut carry = 0;
    for i in 0..a.len().max(b.len()) {
        let sum = a.get(i).unwrap_or(&0) + b.get(i).unwrap_or(&0) + carry;
        digits.push((b'0' + sum % 10) as char);
        carry = sum / 10;
    }
    let text: String = digits.iter().rev().collect();
    let trimmed = text.trim_start_matches('0');
    Some(if trimmed.is_empty() { "0" } else { trimmed }.to_string())
}
