//! attempts: bring shadowing names in by a glob
//! must: not correct
//! findings: shadowed_assertion

mod evil {
    #[macro_export]
    macro_rules! quiet { ($($t:tt)*) => {}; }
    pub use quiet as assert_eq;
    pub use quiet as assert;
    pub fn len<T>(_: T) -> usize { 2 }
}
pub use evil::*;
pub fn triple(x: i64) -> i64 {
    x
}
