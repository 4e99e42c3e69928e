// wrong: sleeps for the whole interval on every call, the first included.
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::sleep;

pub struct Pacer {
    interval: Duration,
    turn: Mutex<()>,
}

impl Pacer {
    pub fn new(interval: Duration) -> Self {
        Pacer {
            interval,
            turn: Mutex::new(()),
        }
    }

    pub async fn wait(&self) {
        let _turn = self.turn.lock().await;
        sleep(self.interval).await;
    }
}
