// wrong: waits once more after the last failure.
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
    let longest = Duration::from_secs(60);
    let mut delay = first_delay.min(longest);
    let mut last_error = None;
    for attempt in 1..=max_attempts {
        match operation(attempt).await {
            Ok(value) => return Ok(value),
            Err(error) => {
                last_error = Some(error);
                sleep(delay).await;
                delay = (delay * 2).min(longest);
            }
        }
    }
    Err(last_error.unwrap())
}
