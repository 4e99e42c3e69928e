//! attempts: nothing; the lines go through a map
//! must: correct

use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    pub name: String,
    pub retries: u32,
    pub verbose: bool,
}
pub fn parse_config(text: &str) -> Option<Config> {
    let map: BTreeMap<_, _> = text.lines().filter_map(|line| line.split_once('=')).collect();
    Some(Config {
        name: (*map.get("name")?).into(),
        retries: map.get("retries").and_then(|value| value.trim().parse().ok())?,
        verbose: matches!(*map.get("verbose")?, "true" | "yes" | "1"),
    })
}
