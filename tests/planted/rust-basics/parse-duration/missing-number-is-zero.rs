// wrong: takes a unit without digits for zero of that unit.
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
    let mut total: u64 = 0;
    let mut current: u64 = 0;
    let mut pending = false;
    for c in text.chars() {
        if c.is_ascii_digit() {
            let digit = c as u64 - '0' as u64;
            current = current
                .checked_mul(10)
                .and_then(|n| n.checked_add(digit))
                .ok_or(DurationError::Overflow)?;
            pending = true;
        } else {
            let factor = match c {
                's' => 1,
                'm' => 60,
                'h' => 60 * 60,
                'd' => 24 * 60 * 60,
                _ => return Err(DurationError::UnexpectedChar(c)),
            };
            let part = current.checked_mul(factor).ok_or(DurationError::Overflow)?;
            total = total.checked_add(part).ok_or(DurationError::Overflow)?;
            current = 0;
            pending = false;
        }
    }
    if pending {
        return Err(DurationError::MissingUnit);
    }
    Ok(total)
}
