// wrong: stores errors like values, so a failed key is never tried again.
use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex};
use tokio::sync::OnceCell;

#[derive(Default)]
pub struct LoadingCache {
    cells: Mutex<HashMap<String, Arc<OnceCell<Result<u64, String>>>>>,
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
        let cell = {
            let mut cells = self.cells.lock().unwrap();
            cells.entry(key.to_string()).or_default().clone()
        };
        cell.get_or_init(load).await.clone()
    }
}
