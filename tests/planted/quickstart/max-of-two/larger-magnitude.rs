// wrong: compares absolute values.
fn max_of_two(a: i32, b: i32) -> i32 {
    if a.wrapping_abs() > b.wrapping_abs() {
        a
    } else {
        b
    }
}
