// wrong: starts from the first number, which an empty slice does not have.
fn sum(numbers: &[i32]) -> i32 {
    let mut total = numbers[0];
    for n in &numbers[1..] {
        total += n;
    }
    total
}
