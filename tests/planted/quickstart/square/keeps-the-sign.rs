// wrong: multiplies by the absolute value, so a negative number stays negative.
fn square(n: i32) -> i32 {
    n * n.abs()
}
