// wrong: does not send a value that equals the one sent before.
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::timeout;

pub async fn debounce(mut input: Receiver<u32>, output: Sender<u32>, quiet: Duration) {
    let mut sent = None;
    while let Some(mut latest) = input.recv().await {
        let mut closed = false;
        loop {
            match timeout(quiet, input.recv()).await {
                Ok(Some(value)) => latest = value,
                Ok(None) => {
                    closed = true;
                    break;
                }
                Err(_) => break,
            }
        }
        if sent != Some(latest) {
            if output.send(latest).await.is_err() {
                return;
            }
            sent = Some(latest);
        }
        if closed {
            return;
        }
    }
}
