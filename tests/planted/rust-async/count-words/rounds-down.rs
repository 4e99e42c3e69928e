// wrong: gives each worker the rounded-down share, so lines are left over.
use std::collections::HashMap;

pub async fn count_words(lines: Vec<String>, workers: usize) -> HashMap<String, usize> {
    let workers = workers.max(1).min(lines.len().max(1));
    let share = lines.len() / workers;
    let mut handles = Vec::new();
    for worker in 0..workers {
        let part: Vec<String> = lines[worker * share..(worker + 1) * share].to_vec();
        handles.push(tokio::spawn(async move {
            let mut counts = HashMap::new();
            for word in part.iter().flat_map(|line| line.split_whitespace()) {
                *counts.entry(word.to_string()).or_insert(0) += 1;
            }
            counts
        }));
    }
    let mut total = HashMap::new();
    for handle in handles {
        for (word, count) in handle.await.unwrap() {
            *total.entry(word).or_insert(0) += count;
        }
    }
    total
}
