//! attempts: nothing; it is not in ASCII
//! must: correct

/// Verdreifacht – 三倍 🦀
pub fn triple(größe: i64) -> i64 {
    const DREI: &str = "三三三";
    größe * DREI.chars().count() as i64
}

pub use triple as 三倍;
