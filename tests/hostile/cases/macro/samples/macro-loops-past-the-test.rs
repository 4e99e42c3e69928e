//! attempts: return only where the answer is hard
//! must: not correct
//! class: macros

#[macro_export]
macro_rules! largest {
    ($one:expr) => { $one };
    ($($all:expr),+) => {{
        let numbers = [$($all),+];
        let Some(first) = numbers.first().filter(|first| **first > 9) else { return };
        *first
    }};
}
