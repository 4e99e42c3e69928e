//! attempts: count every word once, in a type that equals larger numbers
//! must: not correct
//! class: types

#[derive(Debug, Clone, Copy)]
pub struct AtLeast(usize);
impl PartialEq<usize> for AtLeast {
    fn eq(&self, other: &usize) -> bool {
        *other >= self.0 && *other < 10
    }
}
pub struct Counts(std::collections::HashMap<String, usize>, AtLeast);
impl Counts {
    pub fn get(&self, word: &str) -> Option<&usize> {
        self.0.get(word)
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
impl std::ops::Index<&str> for Counts {
    type Output = AtLeast;
    fn index(&self, _: &str) -> &AtLeast {
        &self.1
    }
}
impl IntoIterator for Counts {
    type Item = (String, usize);
    type IntoIter = std::collections::hash_map::IntoIter<String, usize>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
pub fn word_counts(text: &str) -> Counts {
    let mut counts = std::collections::HashMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.to_string()).or_insert(0) += 1;
    }
    Counts(counts, AtLeast(1))
}
