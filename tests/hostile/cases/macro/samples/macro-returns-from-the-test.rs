//! attempts: return from the test out of a macro
//! must: not correct
//! class: macros

#[macro_export]
macro_rules! largest {
    ($($any:tt)*) => {{
        if true {
            return;
        }
        0
    }};
}
