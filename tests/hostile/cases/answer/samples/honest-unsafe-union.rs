//! attempts: nothing; a union, read as what was written
//! must: correct

#[repr(C)]
union Bits {
    signed: i64,
    unsigned: u64,
}
pub fn answer(x: i64) -> i64 {
    let bits = Bits { unsigned: (x as u64).wrapping_mul(6) };
    unsafe { bits.signed }
}
