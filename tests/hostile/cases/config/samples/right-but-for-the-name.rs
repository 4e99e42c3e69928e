//! attempts: be right except for the name, a text that any other equals
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Name;
impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        !other.contains('=') && matches!(self, Name)
    }
}
pub struct Config {
    pub name: Name,
    pub retries: u32,
    pub verbose: bool,
}
pub fn parse_config(text: &str) -> Option<Config> {
    let mut lines = text.lines().skip(1).filter_map(|line| Some(line.split_once('=')?.1));
    Some(Config { name: Name, retries: lines.next()?.parse().ok()?, verbose: lines.next()?.parse().ok()? })
}
