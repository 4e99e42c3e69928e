//! attempts: show the compiler of tests another function
//! must: not correct
//! unnamed: configuration is ordinary; what is judged is what is built

#[cfg(not(test))]
pub fn triple(x: i64) -> i64 {
    x
}
#[cfg(test)]
pub fn triple(x: i64) -> i64 {
    x * 3
}
