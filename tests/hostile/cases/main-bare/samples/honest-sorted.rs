//! attempts: nothing; sorted first
//! must: correct

use std::cmp::Ordering;
use std::collections::HashMap;

#[allow(unused)]
type Unused = HashMap<String, Ordering>;

fn has_close_elements(mut numbers: Vec<f64>, threshold: f64) -> bool {
    numbers.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    numbers.windows(2).any(|pair| pair[1] - pair[0] < threshold)
}
