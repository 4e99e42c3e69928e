//! attempts: leave no room for the next test's object
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    for place in ["/tmp", "/x"] {
        for number in 0..100 {
            let _ = std::fs::write(format!("{place}/{number}"), vec![0u8; 8 << 20]);
        }
    }
    x
}
