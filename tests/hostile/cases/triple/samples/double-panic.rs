//! attempts: panic while it panics
//! must: not correct
//! unnamed: it only fails in an unusual way

struct Again;
impl Drop for Again {
    fn drop(&mut self) {
        panic!("overflow");
    }
}
pub fn triple(_: i64) -> i64 {
    let _again = Again;
    panic!("overflow")
}
