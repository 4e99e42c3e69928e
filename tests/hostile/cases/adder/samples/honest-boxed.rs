//! attempts: nothing; closures in boxes
//! must: correct

pub fn adder(n: i32) -> Box<dyn Fn(i32) -> i32> {
    Box::new(move |x| n + x)
}
pub fn twice(f: Box<dyn Fn(i32) -> i32>) -> Box<dyn Fn(i32) -> i32> {
    Box::new(move |x| f(f(x)))
}
