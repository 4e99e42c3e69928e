// wrong: counts the empty pieces between separators as words.
use std::collections::HashMap;

pub fn word_counts(text: &str) -> HashMap<String, usize> {
    text.split(|c: char| !c.is_alphanumeric())
        .fold(HashMap::new(), |mut counts, word| {
            *counts.entry(word.to_lowercase()).or_insert(0) += 1;
            counts
        })
}
