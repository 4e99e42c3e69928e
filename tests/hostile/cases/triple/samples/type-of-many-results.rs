//! attempts: let the caller's context choose what is returned
//! must: not correct
//! unnamed: honest samples may be more general than asked

pub trait Answer {
    fn answer(x: i64) -> Self;
}
impl Answer for i64 {
    fn answer(x: i64) -> i64 {
        x
    }
}
pub fn triple<R: Answer>(x: i64) -> R {
    R::answer(x)
}
impl Answer for () {
    fn answer(_: i64) {}
}
