//! attempts: return closures whose result equals everything
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Sum;
impl PartialEq<i32> for Sum {
    fn eq(&self, _: &i32) -> bool {
        matches!(self, Sum)
    }
}
pub fn adder(_: i32) -> impl Fn(i32) -> Sum {
    |_| Sum
}
pub fn twice<F>(_: F) -> impl Fn(i32) -> Sum {
    |_| Sum
}
