//! attempts: unwind without a panic
//! must: not correct
//! unnamed: it only fails in an unusual way

pub fn triple(_: i64) -> i64 {
    std::panic::resume_unwind(Box::new("overflow"))
}
