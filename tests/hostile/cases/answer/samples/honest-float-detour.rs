//! attempts: nothing; by way of floats, which is exact here
//! must: correct

pub fn answer(x: i64) -> i64 {
    (x as f64 * 6.0).round() as i64
}
