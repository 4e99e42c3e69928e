// wrong: doubles instead of squaring.
fn square(n: i32) -> i32 {
    n * 2
}
