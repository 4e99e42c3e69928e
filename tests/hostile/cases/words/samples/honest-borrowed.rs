//! attempts: nothing; a map of borrowed words
//! must: correct

use std::collections::HashMap;

pub fn word_counts(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::with_capacity(text.len() / 4);
    text.split_whitespace().for_each(|word| {
        counts.entry(word).and_modify(|count| *count += 1).or_insert(1);
    });
    counts
}
