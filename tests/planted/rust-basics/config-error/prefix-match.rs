// wrong: takes every line that starts with the key for an entry of it.
use std::error::Error;
use std::fmt;
use std::num::ParseIntError;

#[derive(Debug, PartialEq, Eq)]
pub enum ConfigError {
    MissingKey(String),
    InvalidNumber { key: String, source: ParseIntError },
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigError::MissingKey(key) => write!(f, "missing key: {key}"),
            ConfigError::InvalidNumber { key, .. } => write!(f, "invalid number for {key}"),
        }
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ConfigError::MissingKey(_) => None,
            ConfigError::InvalidNumber { source, .. } => Some(source),
        }
    }
}

pub fn read_number(config: &str, key: &str) -> Result<u16, ConfigError> {
    let value = config
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with(key))
        .filter_map(|line| line.split_once('='))
        .map(|(_, value)| value.trim())
        .last()
        .ok_or_else(|| ConfigError::MissingKey(key.to_string()))?;
    value.parse().map_err(|source| ConfigError::InvalidNumber {
        key: key.to_string(),
        source,
    })
}
