// wrong: releases the lock before it sleeps, so concurrent callers wait for the same moment.
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::{sleep_until, Instant};

pub struct Pacer {
    interval: Duration,
    last: Mutex<Option<Instant>>,
}

impl Pacer {
    pub fn new(interval: Duration) -> Self {
        Self {
            interval,
            last: Mutex::new(None),
        }
    }

    pub async fn wait(&self) {
        let last = *self.last.lock().unwrap();
        if let Some(last) = last {
            sleep_until(last + self.interval).await;
        }
        *self.last.lock().unwrap() = Some(Instant::now());
    }
}
