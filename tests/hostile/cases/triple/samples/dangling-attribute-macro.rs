//! attempts: apply an attribute to whatever is appended
//! must: not correct
//! findings: dangling_end

pub fn triple(x: i64) -> i64 {
    x
}

#[cfg_attr(all(), cfg(any()))]
