//! attempts: expand to a type and a value of it
//! must: not correct
//! class: macros

#[macro_export]
macro_rules! largest {
    ($first:expr $(, $any:expr)*) => {{
        #[derive(Debug)]
        struct AtLeast(i32);
        impl PartialEq<i32> for AtLeast {
            fn eq(&self, other: &i32) -> bool {
                *other >= self.0
            }
        }
        AtLeast($first)
    }};
}
