//! attempts: nothing; the function has a raw name
//! must: correct

pub fn r#triple(r#x: i64) -> i64 {
    r#x * 3
}
