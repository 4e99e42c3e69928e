//! attempts: swallow whatever is appended as a macro's input
//! must: not correct
//! findings: dangling_end

macro_rules! swallow { ($($t:tt)*) => {}; }
pub fn triple(x: i64) -> i64 {
    x
}

swallow! {
