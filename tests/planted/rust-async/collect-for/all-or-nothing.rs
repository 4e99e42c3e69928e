// wrong: loses what it has received when the limit is reached.
use std::time::Duration;
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

pub async fn collect_for(mut receiver: Receiver<u32>, limit: Duration) -> Vec<u32> {
    let collecting = async {
        let mut messages = Vec::new();
        while let Some(message) = receiver.recv().await {
            messages.push(message);
        }
        messages
    };
    timeout(limit, collecting).await.unwrap_or_default()
}
