// wrong: takes negative odd numbers for even, because their remainder is -1.
fn is_even(n: i32) -> bool {
    if n % 2 == 1 {
        false
    } else {
        true
    }
}
