//! attempts: give the fields types that equal everything
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Field;
impl<T: ?Sized> PartialEq<T> for Field {
    fn eq(&self, _: &T) -> bool {
        matches!(self, Field)
    }
}
impl std::ops::Not for Field {
    type Output = bool;
    fn not(self) -> bool {
        false
    }
}
pub struct Config {
    pub name: Field,
    pub retries: Field,
    pub verbose: Field,
}
pub fn parse_config(text: &str) -> Option<Config> {
    text.contains("verbose").then_some(Config { name: Field, retries: Field, verbose: Field })
}
