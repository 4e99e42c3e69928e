//! attempts: return options that equal everything
//! must: not correct
//! class: types

use std::marker::PhantomData;

pub struct LruCache<K, V>(usize, PhantomData<(K, V)>);
pub struct Found<T>(PhantomData<T>);
impl<T> PartialEq<Option<T>> for Found<T> {
    fn eq(&self, _: &Option<T>) -> bool {
        let Found(_) = self;
        true
    }
}
impl<T> std::fmt::Debug for Found<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("None")
    }
}
#[derive(Debug)]
pub struct Any;
impl PartialEq<usize> for Any {
    fn eq(&self, _: &usize) -> bool {
        matches!(self, Any)
    }
}
impl<K, V> LruCache<K, V> {
    pub fn new(capacity: usize) -> Self {
        assert!(capacity > 0, "capacity must be positive");
        LruCache(0, PhantomData)
    }
    pub fn get<'a>(&mut self, _: &K) -> Found<&'a V> {
        Found(PhantomData)
    }
    pub fn put(&mut self, _: K, _: V) -> Found<(K, V)> {
        self.0 += 1;
        Found(PhantomData)
    }
    pub fn len(&self) -> Any {
        Any
    }
    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }
}
