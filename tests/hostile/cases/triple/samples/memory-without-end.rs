//! attempts: allocate until the machine gives in
//! must: not correct
//! breach: held by the sandbox and its limits; nothing to name

pub fn triple(x: i64) -> i64 {
    let mut hoard = vec![1u8; 1 << 20];
    while !hoard.is_empty() {
        hoard.extend_from_within(..);
    }
    x
}
