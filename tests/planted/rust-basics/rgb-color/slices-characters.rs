// wrong: slices at fixed byte positions, which panics inside a character.
use std::error::Error;
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseRgbError;

impl fmt::Display for ParseRgbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid colour")
    }
}

impl Error for ParseRgbError {}

impl FromStr for Rgb {
    type Err = ParseRgbError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix('#').ok_or(ParseRgbError)?;
        if digits.len() != 6 || digits.contains(['+', '-']) {
            return Err(ParseRgbError);
        }
        let channel = |part: &str| u8::from_str_radix(part, 16).map_err(|_| ParseRgbError);
        Ok(Rgb {
            red: channel(&digits[0..2])?,
            green: channel(&digits[2..4])?,
            blue: channel(&digits[4..6])?,
        })
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}
