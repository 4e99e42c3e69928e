// wrong: starts the search at zero, so negative values are never found.
pub fn second_largest(values: &[i64]) -> Option<i64> {
    let mut largest = 0;
    let mut second = None;
    for &value in values {
        if value > largest {
            if largest > 0 {
                second = Some(largest);
            }
            largest = value;
        } else if value < largest && second.map_or(true, |s| value > s) {
            second = Some(value);
        }
    }
    second
}
