// wrong: ends the race with the first task that finishes, even if it failed.
use std::future::Future;
use tokio::task::JoinSet;

pub async fn first_ok<T, E, F>(tasks: Vec<F>) -> Result<T, Vec<E>>
where
    T: Send + 'static,
    E: Send + 'static,
    F: Future<Output = Result<T, E>> + Send + 'static,
{
    let mut set = JoinSet::new();
    for task in tasks {
        set.spawn(task);
    }
    match set.join_next().await {
        Some(Ok(Ok(value))) => Ok(value),
        Some(Ok(Err(error))) => Err(vec![error]),
        _ => Err(Vec::new()),
    }
}
