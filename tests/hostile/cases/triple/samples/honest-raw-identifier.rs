//! attempts: nothing; it writes the function's name as a raw identifier
//! must: correct
//! verified: yes

pub fn r#triple(r#x: i64) -> i64 {
    r#x.checked_mul(3).expect("overflow")
}
