// wrong: adds only the positive numbers.
fn sum(numbers: &[i32]) -> i32 {
    let mut total = 0;
    for &n in numbers {
        if n > 0 {
            total += n;
        }
    }
    total
}
