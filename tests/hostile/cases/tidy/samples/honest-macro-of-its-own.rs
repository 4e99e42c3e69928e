//! attempts: nothing; a macro with nothing to lint
//! must: correct

macro_rules! add {
    ($sum:ident += $each:expr) => {
        $sum = $sum.checked_add($each).expect("no overflow")
    };
}
pub fn total(numbers: &[i64]) -> i64 {
    let mut sum: i64 = 0;
    for each in numbers {
        add!(sum += *each);
    }
    sum
}
