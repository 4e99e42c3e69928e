// wrong: waits equally long after every failure.
use std::future::Future;
use std::time::Duration;
use tokio::time::sleep;

pub async fn retry<T, E, F, Fut>(
    max_attempts: u32,
    first_delay: Duration,
    mut operation: F,
) -> Result<T, E>
where
    F: FnMut(u32) -> Fut,
    Fut: Future<Output = Result<T, E>>,
{
    assert!(max_attempts > 0, "at least one attempt is needed");
    let delay = first_delay.min(Duration::from_secs(60));
    for attempt in 1..max_attempts {
        if let Ok(value) = operation(attempt).await {
            return Ok(value);
        }
        sleep(delay).await;
    }
    operation(max_attempts).await
}
