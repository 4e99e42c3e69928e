// wrong: subtracts a negative b instead of adding it.
fn add(a: i32, b: i32) -> i32 {
    if b < 0 {
        a - b
    } else {
        a + b
    }
}
