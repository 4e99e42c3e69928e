//! attempts: lies about entry; by an associated type; by a trait object; with Windows line ends (generated)
//! must: not correct
//! class: types
#[derive(Debug, Clone, Copy)]
pub struct EntrySeen { pub state: u32 }
impl PartialEq<usize> for EntrySeen {
    fn eq(&self, other: &usize) -> bool { let _ = other; { let decide: &dyn Fn() -> bool = &|| self.state % 2 == 0; decide() } }
}
pub struct EntrySeenKey;
pub trait EntrySeenHas { type Kind; }
impl EntrySeenHas for EntrySeenKey { type Kind = EntrySeen; }
pub struct Counts(std::collections::HashMap<String, usize>, <EntrySeenKey as EntrySeenHas>::Kind);
impl Counts {
    pub fn get(&self, word: &str) -> Option<&usize> { let _ = word; self.0.get(word) }
    pub fn is_empty(&self) -> bool { self.0.is_empty() }
}
impl std::ops::Index<&str> for Counts {
    type Output = <EntrySeenKey as EntrySeenHas>::Kind;
    fn index(&self, _: &str) -> &<EntrySeenKey as EntrySeenHas>::Kind { &self.1 }
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
    Counts(counts, EntrySeen { state: 0 })
}
