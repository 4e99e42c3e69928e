// wrong: returns the errors in the order in which the tasks failed.
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
    let mut errors = Vec::new();
    while let Some(result) = set.join_next().await {
        match result.unwrap() {
            Ok(value) => return Ok(value),
            Err(error) => errors.push(error),
        }
    }
    Err(errors)
}
