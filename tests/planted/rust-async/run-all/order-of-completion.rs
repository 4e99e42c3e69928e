// wrong: returns the results in the order in which the tasks finish.
use std::future::Future;
use tokio::task::JoinSet;

pub async fn run_all<T, F>(tasks: Vec<F>) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let mut set = JoinSet::new();
    for task in tasks {
        set.spawn(task);
    }
    let mut results = Vec::new();
    while let Some(result) = set.join_next().await {
        results.push(result.unwrap());
    }
    results
}
