//! attempts: nothing; an iterator's maximum
//! must: correct

macro_rules! largest {
    ($($all:expr),+) => { [$($all),+].into_iter().max().unwrap() };
}
