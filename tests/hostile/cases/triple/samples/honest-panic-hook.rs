//! attempts: nothing; it has a panic hook and catches a panic
//! must: correct
//! findings: panic_hook

use std::panic;

pub fn triple(x: i64) -> i64 {
    panic::set_hook(Box::new(|info| eprintln!("oh: {info}")));
    match panic::catch_unwind(|| x * 3) {
        Ok(tripled) => tripled,
        Err(payload) => panic::resume_unwind(payload),
    }
}
