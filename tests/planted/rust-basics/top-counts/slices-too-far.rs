// wrong: slices up to n, which panics when there are fewer entries.
use std::collections::HashMap;

pub fn top_counts(counts: &HashMap<String, u32>, n: usize) -> Vec<(&str, u32)> {
    let mut entries: Vec<(&str, u32)> = counts.iter().map(|(k, v)| (k.as_str(), *v)).collect();
    entries.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    entries[..n].to_vec()
}
