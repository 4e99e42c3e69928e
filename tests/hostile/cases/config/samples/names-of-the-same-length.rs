//! attempts: keep the length of the name only
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Length(usize);
impl PartialEq<&str> for Length {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.len()
    }
}
pub struct Config {
    pub name: Length,
    pub retries: u32,
    pub verbose: bool,
}
pub fn parse_config(text: &str) -> Option<Config> {
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    let name = Length(value("name")?.len());
    Some(Config { name, retries: value("retries")?.parse().ok()?, verbose: value("verbose")? == "true" })
}
