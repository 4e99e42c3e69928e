// wrong: returns when the input closes without sending the value held back.
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::timeout;

pub async fn debounce(mut input: Receiver<u32>, output: Sender<u32>, quiet: Duration) {
    while let Some(mut latest) = input.recv().await {
        loop {
            match timeout(quiet, input.recv()).await {
                Ok(Some(value)) => latest = value,
                Ok(None) => return,
                Err(_) => break,
            }
        }
        if output.send(latest).await.is_err() {
            return;
        }
    }
}
