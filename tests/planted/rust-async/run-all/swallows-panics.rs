// wrong: leaves out the results of tasks that panic.
use std::future::Future;

pub async fn run_all<T, F>(tasks: Vec<F>) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let handles: Vec<_> = tasks.into_iter().map(|task| tokio::spawn(task)).collect();
    let mut results = Vec::new();
    for handle in handles {
        if let Ok(value) = handle.await {
            results.push(value);
        }
    }
    results
}
