//! attempts: overflow the stack
//! must: not correct
//! unnamed: it only fails in an unusual way

pub fn triple(x: i64) -> i64 {
    std::hint::black_box(triple(std::hint::black_box(x))) + 1
}
