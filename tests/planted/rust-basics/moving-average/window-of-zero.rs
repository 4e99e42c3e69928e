// wrong: does not check for a window of zero, for which `windows` panics.
pub fn moving_average(values: &[f64], window: usize) -> Vec<f64> {
    values
        .windows(window)
        .map(|w| w.iter().sum::<f64>() / window as f64)
        .collect()
}
