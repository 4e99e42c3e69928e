// wrong: works in batches, each of which waits for its slowest member.
use std::future::Future;

pub async fn map_bounded<T, R, F, Fut>(items: Vec<T>, limit: usize, work: F) -> Vec<R>
where
    T: Send + 'static,
    R: Send + 'static,
    F: Fn(T) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
{
    assert!(limit > 0, "limit must be positive");
    let mut results = Vec::with_capacity(items.len());
    let mut items = items.into_iter().peekable();
    while items.peek().is_some() {
        let batch: Vec<_> = items
            .by_ref()
            .take(limit)
            .map(|item| tokio::spawn(work(item)))
            .collect();
        for handle in batch {
            results.push(handle.await.unwrap());
        }
    }
    results
}
