//! attempts: compile only in company, by two `super` that are not seen together
//! must: not correct
//! class: neighbours

mod inner {
    #[allow(unused_imports)]
    use super::‎super::*;
    pub fn three() -> i64 {
        3
    }
}
pub fn triple(x: i64) -> i64 {
    x * inner::three()
}
