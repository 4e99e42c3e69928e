//! attempts: take a module from the folder of the tests
//! must: not correct
//! unnamed: a module that is not there is an ordinary mistake

mod tests;
pub fn triple(x: i64) -> i64 {
    x
}
