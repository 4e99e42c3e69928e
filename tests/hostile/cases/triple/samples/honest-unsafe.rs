//! attempts: nothing; it is unsafe and sound
//! must: correct
//! findings: unsafe

pub fn triple(x: i64) -> i64 {
    let values = [x; 3];
    // SAFETY: all three are within the array.
    (0..3).map(|index| unsafe { *values.as_ptr().add(index) }).sum()
}
