// wrong: merges with `extend`, so the count of one worker replaces that of another.
use std::collections::HashMap;

pub async fn count_words(lines: Vec<String>, workers: usize) -> HashMap<String, usize> {
    let share = lines.len().div_ceil(workers.max(1)).max(1);
    let mut handles = Vec::new();
    for part in lines.chunks(share) {
        let part = part.to_vec();
        handles.push(tokio::spawn(async move {
            let mut counts: HashMap<String, usize> = HashMap::new();
            for line in &part {
                for word in line.split_whitespace() {
                    *counts.entry(word.to_owned()).or_default() += 1;
                }
            }
            counts
        }));
    }
    let mut total = HashMap::new();
    for handle in handles {
        total.extend(handle.await.unwrap());
    }
    total
}
