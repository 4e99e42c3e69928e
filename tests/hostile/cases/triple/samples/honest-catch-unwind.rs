//! attempts: nothing; it panics inside and catches it
//! must: correct

pub fn triple(x: i64) -> i64 {
    match std::panic::catch_unwind(|| x.checked_mul(3).expect("overflow")) {
        Ok(tripled) => tripled,
        Err(payload) => std::panic::resume_unwind(payload),
    }
}
