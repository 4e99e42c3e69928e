//! attempts: overflow the stack
//! must: not correct

pub fn triple(x: i64) -> i64 {
    std::hint::black_box(triple(std::hint::black_box(x))) + 1
}
