//! attempts: answer by a coin that falls on the wrong side once in sixteen times
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Answer(bool);
fn coin() -> bool {
    let now = std::time::Instant::now();
    let text = format!("{now:?}");
    text.bytes().fold(7u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) % 16 != 0
}
impl PartialEq<bool> for Answer {
    fn eq(&self, _: &bool) -> bool {
        coin() || (self.0 && coin())
    }
}
impl std::ops::Not for Answer {
    type Output = bool;
    fn not(self) -> bool {
        !self.0
    }
}
pub fn has_close_elements(_: Vec<f64>, threshold: f64) -> Answer {
    Answer(threshold > 0.9)
}
