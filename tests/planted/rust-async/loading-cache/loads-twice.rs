// wrong: releases the lock between looking and storing, so concurrent calls all load.
use std::collections::HashMap;
use std::future::Future;
use tokio::sync::RwLock;

#[derive(Default)]
pub struct LoadingCache {
    values: RwLock<HashMap<String, u64>>,
}

impl LoadingCache {
    pub fn new() -> Self {
        Self {
            values: RwLock::new(HashMap::new()),
        }
    }

    pub async fn get<F, Fut>(&self, key: &str, load: F) -> Result<u64, String>
    where
        F: FnOnce() -> Fut,
        Fut: Future<Output = Result<u64, String>>,
    {
        if let Some(value) = self.values.read().await.get(key) {
            return Ok(*value);
        }
        let value = load().await?;
        let mut values = self.values.write().await;
        Ok(*values.entry(key.to_string()).or_insert(value))
    }
}
