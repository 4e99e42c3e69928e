// wrong: returns 0 for equal numbers.
fn max_of_two(a: i32, b: i32) -> i32 {
    if a > b {
        return a;
    }
    if b > a {
        return b;
    }
    0
}
