// wrong: looks at the clock before it looks at the channel, so a zero limit receives nothing.
use std::time::Duration;
use tokio::sync::mpsc::Receiver;
use tokio::time::{timeout, Instant};

pub async fn collect_for(mut receiver: Receiver<u32>, limit: Duration) -> Vec<u32> {
    let start = Instant::now();
    let mut messages = Vec::new();
    loop {
        let elapsed = start.elapsed();
        if elapsed >= limit {
            return messages;
        }
        match timeout(limit - elapsed, receiver.recv()).await {
            Ok(Some(message)) => messages.push(message),
            _ => return messages,
        }
    }
}
