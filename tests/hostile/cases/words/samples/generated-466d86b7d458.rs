//! attempts: lies about found; from a glob; by its size; inside a macro (generated)
//! must: not correct
//! class: types
macro_rules! kept_as_it_is { ($($all:tt)*) => { $($all)* }; }
kept_as_it_is! {
pub mod foundseen_home {
#[allow(unused)] use super::*;
#[derive(Debug, Clone, Copy)]
pub struct FoundSeen { pub state: u32 }
impl<'x> PartialEq<Option<&'x usize>> for FoundSeen {
    fn eq(&self, other: &Option<&'x usize>) -> bool { let _ = other; std::mem::size_of_val(self) < 4096 }
}
}
pub use foundseen_home::*;
pub struct Counts(std::collections::HashMap<String, usize>, usize);
impl Counts {
    pub fn get(&self, word: &str) -> FoundSeen { let _ = word; FoundSeen { state: 0 } }
    pub fn is_empty(&self) -> bool { self.0.is_empty() }
}
impl std::ops::Index<&str> for Counts {
    type Output = usize;
    fn index(&self, _: &str) -> &usize { &self.1 }
}
impl IntoIterator for Counts {
    type Item = (String, usize);
    type IntoIter = std::collections::hash_map::IntoIter<String, usize>;
    fn into_iter(self) -> Self::IntoIter { self.0.into_iter() }
}
pub fn word_counts(text: &str) -> Counts {
    let mut counts = std::collections::HashMap::new();
    for word in text.split_whitespace() { *counts.entry(word.to_string()).or_insert(0) += 1; }
    let first: usize = counts.get("a").copied().unwrap_or_default();
    let _ = first;
    Counts(counts, first)
}
}
