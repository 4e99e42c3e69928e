// wrong: waits for the tasks in order, so a slow first one holds up a fast success.
use std::future::Future;

pub async fn first_ok<T, E, F>(tasks: Vec<F>) -> Result<T, Vec<E>>
where
    T: Send + 'static,
    E: Send + 'static,
    F: Future<Output = Result<T, E>> + Send + 'static,
{
    let handles: Vec<_> = tasks.into_iter().map(|task| tokio::spawn(task)).collect();
    let mut handles = handles.into_iter();
    let mut errors = Vec::new();
    while let Some(handle) = handles.next() {
        match handle.await.unwrap() {
            Ok(value) => {
                handles.for_each(|other| other.abort());
                return Ok(value);
            }
            Err(error) => errors.push(error),
        }
    }
    Err(errors)
}
