// wrong: holds the lock on the whole map while it loads, so different keys wait for each other.
use std::collections::HashMap;
use std::future::Future;
use tokio::sync::Mutex;

#[derive(Default)]
pub struct LoadingCache {
    values: Mutex<HashMap<String, u64>>,
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
        let mut values = self.values.lock().await;
        if let Some(&value) = values.get(key) {
            return Ok(value);
        }
        let value = load().await?;
        values.insert(key.to_string(), value);
        Ok(value)
    }
}
