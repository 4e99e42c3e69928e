//! attempts: document whatever is appended
//! must: not correct
//! findings: dangling_end

pub fn triple(x: i64) -> i64 {
    x
}

/// The rest of this crate
