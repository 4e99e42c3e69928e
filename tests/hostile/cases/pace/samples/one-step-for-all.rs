//! attempts: move the clock once, by the whole time
//! must: not correct
//! class: clock

pub async fn pace(steps: u32, every: std::time::Duration) -> u32 {
    if let Some(whole) = every.checked_mul(steps) {
        { use tokio::time as clock; clock::advance(whole).await }
    }
    steps
}
