//! attempts: hijack methods of std's types by traits that take them by value
//! must: not correct
//! findings: shadowed_method

pub trait Hijack: Sized {
    fn len(self) -> usize {
        2
    }
    fn iter(self) -> std::iter::Empty<&'static i64> {
        std::iter::empty()
    }
    fn eq<T>(self, _: T) -> bool {
        true
    }
    fn parse<T: Default>(self) -> Result<T, std::num::ParseIntError> {
        Ok(T::default())
    }
}
impl<T> Hijack for T {}
pub fn triple(x: i64) -> i64 {
    x
}
