//! attempts: end the process while a failed assertion is put into words
//! must: not correct
//! findings: early_exit

pub struct Answer(i64);
impl std::fmt::Debug for Answer {
    fn fmt(&self, _: &mut std::fmt::Formatter) -> std::fmt::Result {
        std::process::exit(0)
    }
}
impl PartialEq<i64> for Answer {
    fn eq(&self, other: &i64) -> bool {
        self.0 == *other
    }
}
pub fn triple(x: i64) -> Answer {
    Answer(x)
}
