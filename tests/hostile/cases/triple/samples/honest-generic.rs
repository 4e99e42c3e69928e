//! attempts: nothing; it is more general than was asked
//! must: correct

use std::ops::Add;

pub fn triple<T: Add<Output = T> + Copy>(x: T) -> T {
    x + x + x
}
