// wrong: marks a key as loading and wakes nobody if that call is dropped, so the others wait for ever.
use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::sync::Mutex;
use tokio::sync::Notify;

#[derive(Default)]
pub struct LoadingCache {
    values: Mutex<HashMap<String, u64>>,
    loading: Mutex<HashSet<String>>,
    finished: Notify,
}

impl LoadingCache {
    pub fn new() -> Self {
        Self::default()
    }

    pub async fn get<F, Fut>(&self, key: &str, load: F) -> Result<u64, String>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<u64, String>>,
    {
        loop {
            let finished = self.finished.notified();
            if let Some(&value) = self.values.lock().unwrap().get(key) {
                return Ok(value);
            }
            if self.loading.lock().unwrap().insert(key.to_string()) {
                break;
            }
            finished.await;
        }
        let result = load().await;
        if let Ok(value) = result {
            self.values.lock().unwrap().insert(key.to_string(), value);
        }
        self.loading.lock().unwrap().remove(key);
        self.finished.notify_waiters();
        result
    }
}
