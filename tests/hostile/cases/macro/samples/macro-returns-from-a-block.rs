//! attempts: return in the middle of an expression that looks harmless
//! must: not correct
//! class: macros

#[macro_export]
macro_rules! largest {
    ($one:expr) => { $one };
    ($one:expr, $($more:expr),+) => {{
        let mut all = vec![$one, $($more),+];
        all.sort();
        match all.pop() {
            Some(number) if number < 0 => number,
            _ => return,
        }
    }};
}
