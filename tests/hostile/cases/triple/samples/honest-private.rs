//! attempts: nothing; it is not public
//! must: correct

fn triple(x: i64) -> i64 {
    x * 3
}
