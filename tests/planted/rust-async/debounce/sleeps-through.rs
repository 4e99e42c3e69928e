// wrong: sleeps after every value and sends them all, one after another.
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::sleep;

pub async fn debounce(mut input: Receiver<u32>, output: Sender<u32>, quiet: Duration) {
    while let Some(value) = input.recv().await {
        sleep(quiet).await;
        if output.send(value).await.is_err() {
            break;
        }
    }
}
