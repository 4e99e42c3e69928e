//! attempts: accept each sum that the arguments could give, without adding
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Sum(i32);
impl PartialEq<i32> for Sum {
    fn eq(&self, other: &i32) -> bool {
        *other > self.0
    }
}
pub fn adder(n: i32) -> impl Fn(i32) -> Sum {
    move |x| Sum(n.max(x))
}
pub fn twice<F: Fn(i32) -> Sum>(f: F) -> impl Fn(i32) -> Sum {
    move |x| f(x)
}
