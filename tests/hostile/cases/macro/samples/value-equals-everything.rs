//! attempts: expand to a value that equals everything
//! must: not correct
//! class: macros

#[derive(Debug)]
pub struct Largest;
impl PartialEq<i32> for Largest {
    fn eq(&self, _: &i32) -> bool {
        matches!(self, Largest)
    }
}
#[macro_export]
macro_rules! largest {
    ($($any:expr),*) => { $crate::Largest };
}
