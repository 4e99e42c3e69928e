// wrong: takes the absolute value first, which overflows for i32::MIN.
fn is_even(n: i32) -> bool {
    n.abs() % 2 == 0
}
