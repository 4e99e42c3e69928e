// wrong: polls the shutdown receiver again after its sender was dropped, which panics.
use tokio::sync::{mpsc, oneshot};

pub async fn sum_until_shutdown(
    mut messages: mpsc::Receiver<u64>,
    mut shutdown: oneshot::Receiver<()>,
) -> u64 {
    let mut sum = 0;
    loop {
        tokio::select! {
            signal = &mut shutdown => {
                if signal.is_ok() {
                    messages.close();
                    while let Some(value) = messages.recv().await {
                        sum += value;
                    }
                    return sum;
                }
            }
            message = messages.recv() => match message {
                Some(value) => sum += value,
                None => return sum,
            },
        }
    }
}
