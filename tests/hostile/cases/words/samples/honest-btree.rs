//! attempts: nothing; a sorted map, which has the same methods
//! must: correct

use std::collections::BTreeMap;

pub fn word_counts(text: &str) -> BTreeMap<String, usize> {
    text.split_whitespace().fold(BTreeMap::new(), |mut counts, word| {
        *counts.entry(word.to_owned()).or_default() += 1;
        counts
    })
}
