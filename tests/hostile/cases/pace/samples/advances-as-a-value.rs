//! attempts: move the paused clock through a generic function
//! must: not correct
//! class: clock

use std::future::Future;
use std::time::Duration;

async fn repeated<F: Future<Output = ()>>(times: u32, every: Duration, wait: impl Fn(Duration) -> F) {
    for _ in 0..times {
        wait(every).await;
    }
}
pub async fn pace(steps: u32, every: Duration) -> u32 {
    repeated(steps, every, tokio::time::advance).await;
    steps
}
