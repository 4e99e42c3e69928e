use std::collections::HashMap;

pub fn total(words: &[&str]) -> usize {
    count(words).values().sum()
}

pub fn count(words: &[&str]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in words {
        *counts.entry(word.to_string()).or_insert(0) += 1;
    }
    counts
}
