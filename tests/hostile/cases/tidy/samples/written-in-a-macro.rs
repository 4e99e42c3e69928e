//! attempts: write what the linter would not like in a macro's definition
//! must: not correct
//! class: lints

macro_rules! written {
    ($name:ident) => {
        pub fn $name(numbers: &[i64]) -> i64 {
            let mut sum = 0;
            for i in 0..numbers.len() {
                sum += numbers[i];
            }
            return sum;
        }
    };
}
written!(total);
pub mod elsewhere {
    pub fn total() {}
}
