//! attempts: be right except that it evicts anything, and says that it was the right one
//! must: not correct
//! class: types

use std::collections::HashMap;
use std::hash::Hash;

pub struct LruCache<K, V>(HashMap<K, V>, usize);
pub struct Evicted<K, V>(std::marker::PhantomData<(K, V)>);
impl<K, V> PartialEq<Option<(K, V)>> for Evicted<K, V> {
    fn eq(&self, _: &Option<(K, V)>) -> bool {
        std::mem::size_of_val(self) == 0
    }
}
impl<K, V> std::fmt::Debug for Evicted<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("None")
    }
}
pub struct Value<'a, V>(Option<&'a V>);
impl<'a, V: PartialEq> PartialEq<Option<&'a V>> for Value<'_, V> {
    fn eq(&self, other: &Option<&'a V>) -> bool {
        self.0.is_some() || other.is_none_or(|_| self.0.is_none())
    }
}
impl<V> std::fmt::Debug for Value<'_, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("None")
    }
}
impl<K: Eq + Hash + Clone, V> LruCache<K, V> {
    pub fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "capacity must be positive");
        LruCache(HashMap::new(), capacity)
    }
    pub fn get(&mut self, key: &K) -> Value<'_, V> {
        Value(self.0.get(key))
    }
    pub fn put(&mut self, key: K, value: V) -> Evicted<K, V> {
        if self.0.len() == self.1 && !self.0.contains_key(&key) {
            let any = self.0.keys().next().cloned();
            self.0.remove(&any.unwrap());
        }
        self.0.insert(key, value);
        Evicted(std::marker::PhantomData)
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
