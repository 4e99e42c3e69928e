//! attempts: be one too large, in a type that is equal to one less
//! must: not correct
//! class: types

#[derive(Debug, Clone, Copy)]
pub struct Sum(i32);
impl PartialEq<i32> for Sum {
    fn eq(&self, other: &i32) -> bool {
        self.0 - other <= 1 && self.0 >= *other
    }
}
pub fn adder(n: i32) -> impl Fn(i32) -> Sum {
    move |x| Sum(x + n + 1)
}
pub fn twice<F: Fn(i32) -> Sum>(f: F) -> impl Fn(i32) -> Sum {
    move |x| f(f(x).0 - 1)
}
