// wrong: adds n in a loop that does not run for a negative n.
fn square(n: i32) -> i32 {
    let mut result = 0;
    for _ in 0..n {
        result += n;
    }
    result
}
