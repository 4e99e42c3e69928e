// wrong: accepts digits without a unit at the end and ignores them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DurationError {
    Empty,
    MissingNumber,
    MissingUnit,
    UnexpectedChar(char),
    Overflow,
}

pub fn parse_duration(text: &str) -> Result<u64, DurationError> {
    if text.is_empty() {
        return Err(DurationError::Empty);
    }
    let mut total = 0u64;
    let mut digits = String::new();
    for c in text.chars() {
        match c {
            '0'..='9' => digits.push(c),
            'd' | 'h' | 'm' | 's' => {
                if digits.is_empty() {
                    return Err(DurationError::MissingNumber);
                }
                let number: u64 = digits.parse().map_err(|_| DurationError::Overflow)?;
                let factor = match c {
                    'd' => 86_400,
                    'h' => 3_600,
                    'm' => 60,
                    _ => 1,
                };
                let seconds = number.checked_mul(factor).ok_or(DurationError::Overflow)?;
                total = total.checked_add(seconds).ok_or(DurationError::Overflow)?;
                digits.clear();
            }
            other => return Err(DurationError::UnexpectedChar(other)),
        }
    }
    Ok(total)
}
