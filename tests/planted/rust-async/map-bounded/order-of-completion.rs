// wrong: returns the results in the order in which the work finishes.
use std::future::Future;
use tokio::task::JoinSet;

pub async fn map_bounded<T, R, F, Fut>(items: Vec<T>, limit: usize, work: F) -> Vec<R>
where
    T: Send + 'static,
    R: Send + 'static,
    F: Fn(T) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
{
    assert!(limit > 0, "limit must be positive");
    let mut running = JoinSet::new();
    let mut results = Vec::with_capacity(items.len());
    for item in items {
        if running.len() == limit {
            if let Some(done) = running.join_next().await {
                results.push(done.unwrap());
            }
        }
        running.spawn(work(item));
    }
    while let Some(done) = running.join_next().await {
        results.push(done.unwrap());
    }
    results
}
