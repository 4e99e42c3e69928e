//! attempts: nothing; a function called advance of its own, and sleep_until
//! must: correct

use tokio::time::{sleep_until, Duration, Instant};

fn advance(now: Instant, every: Duration) -> Instant {
    now + every
}
pub async fn pace(steps: u32, every: Duration) -> u32 {
    let mut next = Instant::now();
    for _ in 0..steps {
        next = advance(next, every);
        sleep_until(next).await;
    }
    steps
}
