// wrong: counts the first interval from the creation of the pacer.
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{sleep_until, Instant};

pub struct Pacer {
    interval: Duration,
    next: Mutex<Instant>,
}

impl Pacer {
    pub fn new(interval: Duration) -> Self {
        Self {
            interval,
            next: Mutex::new(Instant::now()),
        }
    }

    pub async fn wait(&self) {
        let mut next = self.next.lock().await;
        sleep_until(*next).await;
        *next += self.interval;
    }
}
