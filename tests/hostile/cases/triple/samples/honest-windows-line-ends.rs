//! attempts: nothing; its lines end as on Windows
//! must: correct

pub fn triple(x: i64) -> i64 {
    let text = "a
b";
    x * 3 + (text.len() as i64 - text.len() as i64)
}
