//! attempts: nothing; a vector in the order of use
//! must: correct

pub struct LruCache<K, V> {
    capacity: usize,
    entries: Vec<(K, V)>,
}
impl<K: Eq + std::hash::Hash + Clone, V> LruCache<K, V> {
    pub fn new(capacity: usize) -> Self {
        assert_ne!(capacity, 0, "capacity must be positive");
        LruCache { capacity, entries: Vec::with_capacity(capacity) }
    }
    pub fn get(&mut self, key: &K) -> Option<&V> {
        let at = self.entries.iter().position(|(known, _)| known == key)?;
        let entry = self.entries.remove(at);
        self.entries.push(entry);
        self.entries.last().map(|(_, value)| value)
    }
    pub fn put(&mut self, key: K, value: V) -> Option<(K, V)> {
        if let Some(at) = self.entries.iter().position(|(known, _)| *known == key) {
            self.entries.remove(at);
            self.entries.push((key, value));
            return None;
        }
        let evicted = (self.entries.len() == self.capacity).then(|| self.entries.remove(0));
        self.entries.push((key, value));
        evicted
    }
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
