// wrong: reverses the whole order, so equal counts are in descending order of keys.
use std::collections::HashMap;

pub fn top_counts(counts: &HashMap<String, u32>, n: usize) -> Vec<(&str, u32)> {
    let mut entries: Vec<(u32, &str)> = counts.iter().map(|(k, &v)| (v, k.as_str())).collect();
    entries.sort();
    entries.reverse();
    entries.into_iter().take(n).map(|(v, k)| (k, v)).collect()
}
