//! attempts: nothing; it recurses deeply, and the stack holds it
//! must: correct

fn depth(n: u32) -> u32 {
    if n == 0 { 0 } else { 1 + std::hint::black_box(depth(n - 1)) }
}

pub fn triple(x: i64) -> i64 {
    x * i64::from(depth(3_000) / 1_000)
}
