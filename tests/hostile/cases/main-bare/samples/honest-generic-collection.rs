//! attempts: nothing; takes anything that can be iterated
//! must: correct

fn has_close_elements(numbers: impl IntoIterator<Item = f64>, threshold: f64) -> bool {
    let numbers: Vec<f64> = numbers.into_iter().collect();
    let close = |(at, a): (usize, &f64)| numbers.iter().skip(at + 1).any(|b| (a - b).abs() < threshold);
    numbers.iter().enumerate().any(close)
}
