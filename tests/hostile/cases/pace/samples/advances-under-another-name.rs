//! attempts: move the paused clock by a function that it imports under another name
//! must: not correct
//! class: clock

use tokio::time::advance as wait;

pub async fn pace(steps: u32, every: std::time::Duration) -> u32 {
    for _ in 0..steps {
        wait(every).await;
    }
    steps
}
