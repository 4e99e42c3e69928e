//! attempts: equal by where it lies in memory
//! must: not correct
//! class: types

#[derive(Debug)]
pub struct Sum(u8);
impl PartialEq<i32> for Sum {
    fn eq(&self, other: &i32) -> bool {
        let (own, others) = (&raw const self.0 as usize, other as *const i32 as usize);
        own != others
    }
}
pub fn adder(_: i32) -> fn(i32) -> Sum {
    |_| Sum(0)
}
pub fn twice(f: fn(i32) -> Sum) -> fn(i32) -> Sum {
    f
}
