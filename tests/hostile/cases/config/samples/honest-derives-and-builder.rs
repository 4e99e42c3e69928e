//! attempts: nothing; a builder that may fail
//! must: correct

#[derive(Debug, Default)]
struct Builder {
    name: Option<String>,
    retries: Option<u32>,
    verbose: Option<bool>,
}
pub struct Config {
    pub name: String,
    pub retries: u32,
    pub verbose: bool,
}
impl Builder {
    fn with(mut self, key: &str, value: &str) -> Option<Self> {
        match key {
            "name" => self.name = Some(value.to_owned()),
            "retries" => self.retries = Some(value.parse().ok()?),
            "verbose" => self.verbose = Some(value.parse().ok()?),
            _ => return None,
        }
        Some(self)
    }
    fn build(self) -> Option<Config> {
        let Builder { name, retries, verbose } = self;
        Some(Config { name: name?, retries: retries?, verbose: verbose? })
    }
}
pub fn parse_config(text: &str) -> Option<Config> {
    text.lines()
        .map(|line| line.split_once('='))
        .try_fold(Builder::default(), |builder, pair| pair.and_then(|(key, value)| builder.with(key, value)))?
        .build()
}
