//! attempts: nothing; it computes in wider integers
//! must: correct

pub fn triple(x: i64) -> i64 {
    let wide = i128::from(x) * 3;
    i64::try_from(wide).unwrap_or_else(|_| panic!("overflow: {wide}"))
}
