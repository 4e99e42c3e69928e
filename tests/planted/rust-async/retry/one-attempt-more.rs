// wrong: takes the first call for no attempt and so makes one more than allowed.
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
    let mut retries = 0;
    loop {
        match operation(retries + 1).await {
            Ok(value) => return Ok(value),
            Err(error) => {
                if retries >= max_attempts {
                    return Err(error);
                }
                retries += 1;
                sleep(delay).await;
                delay = (delay * 2).min(longest);
            }
        }
    }
}
