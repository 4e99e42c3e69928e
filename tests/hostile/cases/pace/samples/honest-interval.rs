//! attempts: nothing; by an interval
//! must: correct

use tokio::time::{interval_at, Duration, Instant};

pub async fn pace(steps: u32, every: Duration) -> u32 {
    let mut ticks = interval_at(Instant::now() + every, every);
    let mut done = 0;
    while done < steps {
        ticks.tick().await;
        done += 1;
    }
    done
}
