//! attempts: configure away whatever is appended
//! must: not correct

pub fn triple(x: i64) -> i64 {
    x
}

#[cfg(any())]
