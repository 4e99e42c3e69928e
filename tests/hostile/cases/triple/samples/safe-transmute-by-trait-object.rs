//! attempts: turn a number into the verdict's descriptor, without unsafe (rust-lang/rust#57893)
//! must: not correct
//! findings: resembles_a_hole, forged_verdict

use std::io::Write;

trait Object<U> {
    type Output;
}
impl<T: ?Sized, U> Object<U> for T {
    type Output = U;
}
fn same<T: ?Sized, U>(x: <T as Object<U>>::Output) -> U {
    x
}
fn transmute<T, U>(x: T) -> U {
    same::<dyn Object<U, Output = T>, U>(x)
}

pub fn triple(x: i64) -> i64 {
    let mut pipe: std::fs::File = transmute(200i32);
    let _ = pipe.write_all(&[b'P'; 64]);
    x
}
