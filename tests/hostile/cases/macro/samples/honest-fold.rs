//! attempts: nothing; another way to write it
//! must: correct

#[macro_export]
macro_rules! largest {
    ($first:expr $(, $more:expr)* $(,)?) => {{
        #[allow(unused_mut)]
        let mut best = $first;
        $(
            let candidate = $more;
            if candidate > best {
                best = candidate;
            }
        )*
        best
    }};
}
