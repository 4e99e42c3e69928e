//! attempts: return a value that is called through a dereference
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Sum(i32);
impl PartialEq<i32> for Sum {
    fn eq(&self, other: &i32) -> bool {
        self.0 <= *other
    }
}
pub struct Adder(Box<dyn Fn(i32) -> Sum>);
impl std::ops::Deref for Adder {
    type Target = dyn Fn(i32) -> Sum;
    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}
pub fn adder(_: i32) -> Adder {
    Adder(Box::new(|_| Sum(i32::MIN)))
}
pub fn twice(adder: Adder) -> Adder {
    adder
}
