// wrong: computes the delay as a power of two, which overflows after 32 attempts.
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
    let mut attempt = 1;
    loop {
        match operation(attempt).await {
            Ok(value) => return Ok(value),
            Err(error) if attempt == max_attempts => return Err(error),
            Err(_) => {
                let factor = 2u32.pow(attempt - 1);
                let delay = first_delay
                    .saturating_mul(factor)
                    .min(Duration::from_secs(60));
                sleep(delay).await;
                attempt += 1;
            }
        }
    }
}
