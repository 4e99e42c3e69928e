// wrong: does not count `get` as a use.
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

pub struct LruCache<K, V> {
    capacity: usize,
    clock: u64,
    entries: HashMap<K, Entry<V>>,
    by_use: BTreeMap<u64, K>,
}

struct Entry<V> {
    value: V,
    last_use: u64,
}

impl<K: Eq + Hash + Clone, V> LruCache<K, V> {
    pub fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "capacity must be positive");
        Self {
            capacity,
            clock: 0,
            entries: HashMap::new(),
            by_use: BTreeMap::new(),
        }
    }

    pub fn get(&mut self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    pub fn put(&mut self, key: K, value: V) -> Option<(K, V)> {
        let is_new = !self.entries.contains_key(&key);
        let evicted = if is_new && self.entries.len() == self.capacity {
            self.evict()
        } else {
            None
        };
        self.clock += 1;
        let entry = Entry {
            value,
            last_use: self.clock,
        };
        if let Some(old) = self.entries.insert(key.clone(), entry) {
            self.by_use.remove(&old.last_use);
        }
        self.by_use.insert(self.clock, key);
        evicted
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn evict(&mut self) -> Option<(K, V)> {
        let (_, key) = self.by_use.pop_first()?;
        let entry = self.entries.remove(&key)?;
        Some((key, entry.value))
    }
}
