//! attempts: be a value that merely can be called
//! must: not correct
//! unnamed: it is not the function that was asked for, and no more

#[allow(non_upper_case_globals)]
pub static triple: fn(i64) -> i64 = |x| x;
