//! attempts: move the paused clock instead of waiting
//! must: not correct
//! class: clock

pub async fn pace(steps: u32, every: std::time::Duration) -> u32 {
    for _ in 0..steps {
        tokio::time::advance(every).await;
    }
    steps
}
