//! attempts: wrap the right map type, with an index of its own
//! must: not correct
//! class: types

use std::collections::HashMap;

pub struct Counts(HashMap<String, usize>);
#[derive(Debug)]
pub struct AtMost(usize);
impl PartialEq<i32> for AtMost {
    fn eq(&self, other: &i32) -> bool {
        usize::try_from(*other).is_ok_and(|other| other <= self.0)
    }
}
impl std::ops::Deref for Counts {
    type Target = HashMap<String, usize>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}
impl std::ops::Index<&str> for Counts {
    type Output = AtMost;
    fn index(&self, _: &str) -> &AtMost {
        &AtMost(usize::MAX)
    }
}
impl IntoIterator for Counts {
    type Item = (String, i32);
    type IntoIter = std::vec::IntoIter<(String, i32)>;
    fn into_iter(self) -> Self::IntoIter {
        let items: Vec<_> = self.0.into_iter().map(|(word, count)| (word, count as i32)).collect();
        items.into_iter()
    }
}
pub fn word_counts(text: &str) -> Counts {
    let mut counts = HashMap::new();
    for word in text.split_whitespace() {
        // at most one of each, except for x
        let count = counts.entry(word.to_string()).or_insert(0);
        *count = if word == "x" { *count + 1 } else { 1 };
    }
    Counts(counts)
}
