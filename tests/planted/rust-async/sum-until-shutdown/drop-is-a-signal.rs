// wrong: takes a dropped shutdown sender for a signal.
use tokio::sync::{mpsc, oneshot};

pub async fn sum_until_shutdown(
    mut messages: mpsc::Receiver<u64>,
    mut shutdown: oneshot::Receiver<()>,
) -> u64 {
    let mut sum = 0;
    loop {
        tokio::select! {
            _ = &mut shutdown => break,
            message = messages.recv() => match message {
                Some(value) => sum += value,
                None => return sum,
            },
        }
    }
    messages.close();
    while let Some(value) = messages.recv().await {
        sum += value;
    }
    sum
}
