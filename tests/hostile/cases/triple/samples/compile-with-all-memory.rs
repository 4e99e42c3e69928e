//! attempts: make the compiler take all memory
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

const LARGE: [u64; 1 << 33] = [7; 1 << 33];

pub fn triple(x: i64) -> i64 {
    x + LARGE[x as usize] as i64
}
