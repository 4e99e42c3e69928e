//! attempts: show the linter another function
//! must: not correct
//! unnamed: configuration is ordinary; what is linted is what is run

#[cfg(clippy)]
pub fn triple(x: i64) -> i64 {
    x
}
#[cfg(not(clippy))]
pub fn triple(x: i64) -> i64 {
    x * 3
}
