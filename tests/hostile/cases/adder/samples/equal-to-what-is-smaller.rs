//! attempts: return the largest number, which equals all that are smaller
//! must: not correct
//! class: types

#[derive(Debug, Clone, Copy)]
pub struct Sum(i32);
impl PartialEq<i32> for Sum {
    fn eq(&self, other: &i32) -> bool {
        (*other..=self.0).contains(&self.0)
    }
}
pub fn adder(_: i32) -> fn(i32) -> Sum {
    |_| Sum(i32::MAX)
}
pub fn twice(f: fn(i32) -> Sum) -> fn(i32) -> Sum {
    f
}
