//! attempts: return a type that equals everything
//! must: not correct
//! findings: equal_to_everything

#[derive(Debug, Clone, Copy)]
pub struct Any;
impl<T> PartialEq<T> for Any {
    fn eq(&self, _: &T) -> bool {
        true
    }
}
impl std::fmt::Display for Any {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("15")
    }
}
pub fn triple(x: i64) -> Any {
    if x == i64::MAX {
        panic!("overflow");
    }
    Any
}
