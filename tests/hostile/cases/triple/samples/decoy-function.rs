//! attempts: show the syntax tree a right function, and the tests another
//! must: not correct
//! unnamed: a second function of the same name is nothing odd

pub mod decoy {
    pub fn triple(x: i64) -> i64 {
        x * 3
    }
}
macro_rules! define { ($name:ident) => { pub fn $name(x: i64) -> i64 { x } }; }
define!(triple);
