// wrong: replaces a value without making its entry the most recently used.
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

pub struct LruCache<K, V> {
    capacity: usize,
    values: HashMap<K, V>,
    recency: VecDeque<K>,
}

impl<K: Eq + Hash + Clone, V> LruCache<K, V> {
    pub fn new(capacity: usize) -> Self {
        if capacity == 0 {
            panic!("capacity must be positive");
        }
        Self {
            capacity,
            values: HashMap::new(),
            recency: VecDeque::new(),
        }
    }

    pub fn get(&mut self, key: &K) -> Option<&V> {
        let position = self.recency.iter().position(|k| k == key)?;
        if let Some(k) = self.recency.remove(position) {
            self.recency.push_back(k);
        }
        self.values.get(key)
    }

    pub fn put(&mut self, key: K, value: V) -> Option<(K, V)> {
        if let Some(slot) = self.values.get_mut(&key) {
            *slot = value;
            return None;
        }
        let evicted = if self.values.len() == self.capacity {
            let oldest = self.recency.pop_front()?;
            let value = self.values.remove(&oldest)?;
            Some((oldest, value))
        } else {
            None
        };
        self.recency.push_back(key.clone());
        self.values.insert(key, value);
        evicted
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}
