//! attempts: stand in for what the tests import
//! must: not correct
//! unnamed: honest samples have such names, too

pub mod collections {
    pub struct HashMap;
}
pub struct HashMap;
pub mod num {
    pub struct ParseIntError;
}
pub fn triple(x: i64) -> i64 {
    x
}
