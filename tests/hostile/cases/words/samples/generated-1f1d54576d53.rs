//! attempts: lies about entry; by an associated type; by the thread; behind an escape (generated)
//! must: not correct
//! class: types
const _: (char,char,&str) = ('\u{4_____________8}','"',"/*");
#[derive(Debug, Clone, Copy)]
pub struct EntryLike { pub state: u32 }
impl PartialEq<usize> for EntryLike {
    fn eq(&self, other: &usize) -> bool { let _ = other; !std::thread::panicking() && self.state == 0 }
}
pub struct EntryLikeKey;
pub trait EntryLikeHas { type Kind; }
impl EntryLikeHas for EntryLikeKey { type Kind = EntryLike; }
pub struct Counts(std::collections::HashMap<String, usize>, <EntryLikeKey as EntryLikeHas>::Kind);
impl Counts {
    pub fn get(&self, word: &str) -> Option<&usize> { let _ = word; self.0.get(word) }
    pub fn is_empty(&self) -> bool { self.0.is_empty() }
}
impl std::ops::Index<&str> for Counts {
    type Output = <EntryLikeKey as EntryLikeHas>::Kind;
    fn index(&self, _: &str) -> &<EntryLikeKey as EntryLikeHas>::Kind { &self.1 }
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
    Counts(counts, EntryLike { state: 0 })
}

// */
