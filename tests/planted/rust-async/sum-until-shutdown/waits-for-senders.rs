// wrong: drains the channel without closing it, so it waits until all senders are gone.
use tokio::sync::{mpsc, oneshot};

pub async fn sum_until_shutdown(
    mut messages: mpsc::Receiver<u64>,
    mut shutdown: oneshot::Receiver<()>,
) -> u64 {
    let mut sum = 0;
    let mut listening = true;
    loop {
        tokio::select! {
            signal = &mut shutdown, if listening => {
                if signal.is_ok() {
                    break;
                }
                listening = false;
            }
            message = messages.recv() => match message {
                Some(value) => sum += value,
                None => return sum,
            },
        }
    }
    while let Some(value) = messages.recv().await {
        sum += value;
    }
    sum
}
