// wrong: computes the number of windows before it checks that the window fits.
pub fn moving_average(values: &[f64], window: usize) -> Vec<f64> {
    if window == 0 {
        return vec![];
    }
    let mut averages = Vec::new();
    for start in 0..=values.len() - window {
        let sum: f64 = values[start..start + window].iter().sum();
        averages.push(sum / window as f64);
    }
    averages
}
