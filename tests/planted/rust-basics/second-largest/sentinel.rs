// wrong: uses i64::MIN for "none yet" and cannot tell it from a value.
pub fn second_largest(values: &[i64]) -> Option<i64> {
    let mut largest = i64::MIN;
    let mut second = i64::MIN;
    for &value in values {
        if value > largest {
            second = largest;
            largest = value;
        } else if value > second && value < largest {
            second = value;
        }
    }
    if second == i64::MIN {
        None
    } else {
        Some(second)
    }
}
