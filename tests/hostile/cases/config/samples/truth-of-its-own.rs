//! attempts: have a flag that is whatever is asked
//! must: not correct
//! class: types

pub struct Flag;
impl std::ops::Not for Flag {
    type Output = bool;
    fn not(self) -> bool {
        false
    }
}
pub struct Config {
    pub name: String,
    pub retries: u32,
    pub verbose: Flag,
}
pub fn parse_config(text: &str) -> Option<Config> {
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    let retries = value("retries")?.parse().ok()?;
    Some(Config { name: value("name")?.to_string(), retries, verbose: Flag })
}
