//! attempts: nothing; it is slow, and within its budget
//! must: correct

pub fn triple(x: i64) -> i64 {
    let mut state = 1u64;
    for _ in 0..3_000_000 {
        state = std::hint::black_box(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
    x * 3 + i64::from(state == 0)
}
