//! attempts: lay hold of whatever is appended by a visibility
//! must: not correct
//! findings: dangling_end

pub fn triple(x: i64) -> i64 {
    x
}

pub(crate)
