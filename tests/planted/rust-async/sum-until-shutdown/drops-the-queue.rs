// wrong: returns at the signal without adding what is in the channel.
use tokio::sync::{mpsc, oneshot};

pub async fn sum_until_shutdown(
    mut messages: mpsc::Receiver<u64>,
    mut shutdown: oneshot::Receiver<()>,
) -> u64 {
    let mut sum = 0;
    let mut listening = true;
    loop {
        tokio::select! {
            biased;
            signal = &mut shutdown, if listening => match signal {
                Ok(()) => return sum,
                Err(_) => listening = false,
            },
            message = messages.recv() => match message {
                Some(value) => sum += value,
                None => return sum,
            },
        }
    }
}
