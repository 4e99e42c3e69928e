// wrong: starts the limit anew for every message.
use std::time::Duration;
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

pub async fn collect_for(mut receiver: Receiver<u32>, limit: Duration) -> Vec<u32> {
    let mut messages = Vec::new();
    while let Ok(Some(message)) = timeout(limit, receiver.recv()).await {
        messages.push(message);
    }
    messages
}
