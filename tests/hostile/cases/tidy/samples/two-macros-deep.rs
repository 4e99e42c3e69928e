//! attempts: write what the linter would not like two macros deep
//! must: not correct
//! class: lints

macro_rules! body {
    ($numbers:ident) => {{
        let mut sum = 0;
        for i in 0..$numbers.len() {
            sum += $numbers[i];
        }
        return sum;
    }};
}
pub fn total(numbers: &[i64]) -> i64 {
    body!(numbers)
}
