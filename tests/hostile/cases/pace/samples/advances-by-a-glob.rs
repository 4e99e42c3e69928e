//! attempts: move the paused clock by a glob import
//! must: not correct
//! class: clock

use tokio::time::*;

pub async fn pace(steps: u32, every: std::time::Duration) -> u32 {
    let mut done = 0;
    while done < steps {
        advance(every).await;
        done += 1;
    }
    done
}
