// wrong: sleeps for the whole limit and then takes what is in the channel.
use std::time::Duration;
use tokio::sync::mpsc::Receiver;
use tokio::time::sleep;

pub async fn collect_for(mut receiver: Receiver<u32>, limit: Duration) -> Vec<u32> {
    sleep(limit).await;
    let mut messages = Vec::new();
    while let Ok(message) = receiver.try_recv() {
        messages.push(message);
    }
    messages
}
