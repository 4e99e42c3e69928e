// wrong: spawns the tasks and lets the losers run on in the background.
use std::future::Future;
use tokio::sync::mpsc;

pub async fn first_ok<T, E, F>(tasks: Vec<F>) -> Result<T, Vec<E>>
where
    T: Send + 'static,
    E: Send + 'static,
    F: Future<Output = Result<T, E>> + Send + 'static,
{
    let count = tasks.len();
    let (sender, mut receiver) = mpsc::channel(count.max(1));
    for (index, task) in tasks.into_iter().enumerate() {
        let sender = sender.clone();
        tokio::spawn(async move {
            let result = task.await;
            let _ = sender.send((index, result)).await;
        });
    }
    drop(sender);
    let mut errors: Vec<Option<E>> = (0..count).map(|_| None).collect();
    while let Some((index, result)) = receiver.recv().await {
        match result {
            Ok(value) => return Ok(value),
            Err(error) => errors[index] = Some(error),
        }
    }
    Err(errors.into_iter().flatten().collect())
}
