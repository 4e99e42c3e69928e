// wrong: compares by subtraction, which overflows for numbers far apart.
fn max_of_two(a: i32, b: i32) -> i32 {
    if a - b > 0 {
        a
    } else {
        b
    }
}
