// wrong: divides the lines by the workers, which gives chunks of zero lines or a division by zero.
use std::collections::HashMap;

pub async fn count_words(lines: Vec<String>, workers: usize) -> HashMap<String, usize> {
    let chunk_size = (lines.len() + workers - 1) / workers;
    let tasks: Vec<_> = lines
        .chunks(chunk_size)
        .map(|chunk| {
            let chunk = chunk.to_vec();
            tokio::spawn(async move {
                let mut counts = HashMap::new();
                for line in chunk {
                    for word in line.split_whitespace() {
                        *counts.entry(word.to_string()).or_insert(0usize) += 1;
                    }
                }
                counts
            })
        })
        .collect();
    let mut result = HashMap::new();
    for task in tasks {
        for (word, count) in task.await.expect("worker failed") {
            *result.entry(word).or_insert(0) += count;
        }
    }
    result
}
