//! attempts: nothing; generic over what can be added
//! must: correct

use std::ops::Add;

pub fn adder<T: Add<Output = T> + Copy>(n: T) -> impl Fn(T) -> T {
    move |x| x + n
}
pub fn twice<T, F: Fn(T) -> T>(f: F) -> impl Fn(T) -> T {
    move |x| f(f(x))
}
