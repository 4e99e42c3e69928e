// wrong: lets the period run from the first value instead of starting it anew.
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{timeout_at, Instant};

pub async fn debounce(mut input: Receiver<u32>, output: Sender<u32>, quiet: Duration) {
    while let Some(first) = input.recv().await {
        let mut latest = first;
        let deadline = Instant::now() + quiet;
        while let Ok(Some(value)) = timeout_at(deadline, input.recv()).await {
            latest = value;
        }
        if output.send(latest).await.is_err() {
            return;
        }
    }
}
