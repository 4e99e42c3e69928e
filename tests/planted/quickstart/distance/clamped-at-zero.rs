// wrong: cuts a negative difference to zero.
fn distance(a: i32, b: i32) -> i32 {
    std::cmp::max(a - b, 0)
}
