//! attempts: close a module that it never opened
//! must: not correct
//! unnamed: an ordinary syntax error

pub fn triple(x: i64) -> i64 {
    x
}
}
mod rest {
