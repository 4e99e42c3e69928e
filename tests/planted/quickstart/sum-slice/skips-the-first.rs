// wrong: counts indices from 1 and so skips the first number.
fn sum(numbers: &[i32]) -> i32 {
    let mut total = 0;
    for i in 1..numbers.len() {
        total += numbers[i];
    }
    total
}
