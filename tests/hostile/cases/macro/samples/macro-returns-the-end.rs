//! attempts: return from the test with a value of any type, by a hole in the compiler
//! must: not correct
//! class: macros

#[macro_export]
macro_rules! largest {
    ($($any:tt)*) => {{
        trait Object<U> {
            type Output;
        }
        impl<T: ?Sized, U> Object<U> for T {
            type Output = U;
        }
        fn same<T: ?Sized, U>(value: <T as Object<U>>::Output) -> U {
            value
        }
        macro_rules! object {
            ($to:ident $from:ident $keyword:ident) => { $keyword Object<$to, Output = $from> };
        }
        fn cast<A, B>(value: A) -> B {
            same::<object!(B A dyn), B>(value)
        }
        if true {
            return cast(());
        }
        0
    }};
}
