// wrong: binds the permit to `_`, which drops it at once, so nothing is limited.
use std::future::Future;
use std::sync::Arc;
use tokio::sync::Semaphore;

pub async fn map_bounded<T, R, F, Fut>(items: Vec<T>, limit: usize, work: F) -> Vec<R>
where
    T: Send + 'static,
    R: Send + 'static,
    F: Fn(T) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
{
    assert!(limit > 0, "limit must be positive");
    let semaphore = Arc::new(Semaphore::new(limit.min(Semaphore::MAX_PERMITS)));
    let mut handles = Vec::new();
    for item in items {
        let semaphore = Arc::clone(&semaphore);
        let future = work(item);
        handles.push(tokio::spawn(async move {
            let _ = semaphore.acquire().await.unwrap();
            future.await
        }));
    }
    let mut results = Vec::new();
    for handle in handles {
        results.push(handle.await.unwrap());
    }
    results
}
