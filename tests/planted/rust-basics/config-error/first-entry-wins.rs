// wrong: takes the first entry of the key instead of the last.
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
        .filter_map(|line| line.split_once('='))
        .find(|(name, _)| name.trim() == key)
        .map(|(_, value)| value.trim())
        .ok_or_else(|| ConfigError::MissingKey(key.to_string()))?;
    value.parse().map_err(|source| ConfigError::InvalidNumber {
        key: key.to_string(),
        source,
    })
}
