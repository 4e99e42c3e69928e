// wrong: leaves leading zeros in the sum.
pub fn add_decimal(a: &str, b: &str) -> Option<String> {
    let (a, b) = (digits(a)?, digits(b)?);
    let mut reversed = Vec::with_capacity(a.len().max(b.len()) + 1);
    let (mut a, mut b) = (a.iter().rev(), b.iter().rev());
    let mut carry = 0;
    loop {
        let (x, y) = (a.next(), b.next());
        if x.is_none() && y.is_none() && carry == 0 {
            break;
        }
        let sum = x.map_or(0, |c| c - b'0') + y.map_or(0, |c| c - b'0') + carry;
        reversed.push(char::from(b'0' + sum % 10));
        carry = sum / 10;
    }
    Some(reversed.into_iter().rev().collect())
}

fn digits(text: &str) -> Option<&[u8]> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(text.as_bytes())
}
