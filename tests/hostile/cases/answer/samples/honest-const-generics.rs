//! attempts: nothing; a factor as a parameter
//! must: correct

struct Times<const N: i64>;
impl<const N: i64> Times<N> {
    const fn of(x: i64) -> i64 {
        x * N
    }
}
pub fn answer(x: i64) -> i64 {
    Times::<6>::of(x)
}
