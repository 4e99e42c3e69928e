// wrong: multiplies and adds without checks, so large numbers panic.
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
    let mut number: Option<u64> = None;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            number = Some(number.unwrap_or(0) * 10 + u64::from(digit));
            continue;
        }
        let unit: u64 = match c {
            'd' => 86_400,
            'h' => 3_600,
            'm' => 60,
            's' => 1,
            other => return Err(DurationError::UnexpectedChar(other)),
        };
        let count = number.take().ok_or(DurationError::MissingNumber)?;
        total += count * unit;
    }
    match number {
        Some(_) => Err(DurationError::MissingUnit),
        None => Ok(total),
    }
}
