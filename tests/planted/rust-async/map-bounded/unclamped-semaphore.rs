// wrong: gives the limit to a semaphore as it is, which panics above its maximum.
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
    if limit == 0 {
        panic!("limit must be positive");
    }
    let semaphore = Arc::new(Semaphore::new(limit));
    let handles: Vec<_> = items
        .into_iter()
        .map(|item| {
            let semaphore = semaphore.clone();
            let future = work(item);
            tokio::spawn(async move {
                let _permit = semaphore.acquire().await.unwrap();
                future.await
            })
        })
        .collect();
    let mut results = Vec::new();
    for handle in handles {
        results.push(handle.await.unwrap());
    }
    results
}
