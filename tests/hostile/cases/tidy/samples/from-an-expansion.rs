//! attempts: write a comparison with `true` and an index loop in a macro that takes the list
//! must: not correct
//! class: lints

macro_rules! sum_of {
    ($list:expr) => {{
        let list = $list;
        let mut sum: i64 = 0;
        for at in 0..list.len() {
            if (sum == 0) == true { sum = list[at]; } else { sum += list[at]; }
        }
        sum
    }};
}
pub fn total(numbers: &[i64]) -> i64 {
    sum_of!(numbers)
}
