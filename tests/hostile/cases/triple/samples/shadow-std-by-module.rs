//! attempts: define modules named std, core and alloc
//! must: not correct
//! findings: shadowed_std, shadowed_assertion

pub mod std {
    #[macro_export]
    macro_rules! nothing { ($($t:tt)*) => {}; }
    pub use nothing as assert_eq;
    pub mod collections { pub type HashMap<K, V> = ::std::collections::BTreeMap<K, V>; }
}
pub mod core {}
pub mod alloc {}
pub fn triple(x: i64) -> i64 {
    x
}
