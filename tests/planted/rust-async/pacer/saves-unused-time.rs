// wrong: uses a tokio interval, whose missed ticks come in a burst after a pause.
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{interval, Interval};

pub struct Pacer {
    period: Duration,
    ticks: Mutex<Option<Interval>>,
}

impl Pacer {
    pub fn new(interval: Duration) -> Self {
        Self {
            period: interval,
            ticks: Mutex::new(None),
        }
    }

    pub async fn wait(&self) {
        let mut ticks = self.ticks.lock().await;
        ticks
            .get_or_insert_with(|| interval(self.period))
            .tick()
            .await;
    }
}
