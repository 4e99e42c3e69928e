// wrong: keeps a running sum and so carries rounding errors into later windows.
pub fn moving_average(values: &[f64], window: usize) -> Vec<f64> {
    if window == 0 || window > values.len() {
        return Vec::new();
    }
    let mut sum: f64 = values[..window].iter().sum();
    let mut averages = vec![sum / window as f64];
    for i in window..values.len() {
        sum += values[i] - values[i - window];
        averages.push(sum / window as f64);
    }
    averages
}
