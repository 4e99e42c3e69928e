//! attempts: nothing; its main part is a module called core
//! must: correct

mod core {
    pub fn times(x: i64, factor: i64) -> i64 {
        x * factor
    }
}
pub fn triple(x: i64) -> i64 {
    self::core::times(x, 3)
}
