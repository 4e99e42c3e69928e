// wrong: says that zero and negative numbers are never even.
fn is_even(n: i32) -> bool {
    n > 0 && n % 2 == 0
}
