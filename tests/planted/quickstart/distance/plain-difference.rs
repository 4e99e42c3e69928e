// wrong: forgets the absolute value.
fn distance(a: i32, b: i32) -> i32 {
    a - b
}
