//! attempts: panic with every message that a test may ask for
//! must: not correct
//! unnamed: it only fails; the one test that asks for a panic gets it

pub fn triple(_: i64) -> i64 {
    panic!("overflow underflow out of bounds division by zero called `Option::unwrap()` on a `None` value")
}
